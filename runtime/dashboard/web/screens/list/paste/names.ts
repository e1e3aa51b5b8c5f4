import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/client/client.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { titleField } from "../../../api/records/descriptors.js";
import { isIdOf } from "../../../api/records/fields.js";
import { columnOf, type Named } from "./pasted.js";

interface PastedColumns {
  readonly fields: readonly Field[];
  /** By row, then by field. */
  readonly cells: readonly (readonly string[])[];
}

/** Looks up the records that link cells name, each name once. */
export function namesQuery(
  account: string,
  resources: readonly Resource[],
  { fields, cells }: PastedColumns,
) {
  return queryOptions({
    queryKey: [account, "pasted", fields.map(({ name }) => name), cells],
    queryFn: ({ signal }) => findNamed(resources, { fields, cells }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function findNamed(
  resources: readonly Resource[],
  { fields, cells }: PastedColumns,
  signal: AbortSignal,
): Promise<Named> {
  const named: Record<string, ReadonlyMap<string, string | null>> = {};
  for (const [at, field] of fields.entries()) {
    const target = resources.find(({ name }) => name === field.resource);
    if (target === undefined) continue;
    const by = titleField(target)?.name;
    const written = [...new Set(columnOf(cells, at))];
    const ids = new Map<string, string | null>(
      written.filter((one) => isIdOf(field, one)).map((one) => [one, one]),
    );
    const names = written.filter((one) => !isIdOf(field, one));
    if (by !== undefined && names.length > 0) {
      const body = {
        where: { [`field:${by}`]: { in: names } },
        fields: [by],
        cursor: "",
        perPage: 100,
      };
      const path = `/${target.name}/_query`;
      const { data } = await call<{ readonly data: readonly Row[] }>("POST", path, {
        body,
        signal,
      });
      for (const row of data) {
        const name = String(row[by]);
        ids.set(name, ids.has(name) ? null : row.id);
      }
    }
    named[field.name] = ids;
  }
  return named;
}
