import { call } from "../../api/client/client.js";
import type { Page, Resource, Row } from "../../api/client/types.js";
import type { Found } from "./check.js";
import type { Table } from "./csv.js";
import type { Mapping } from "./mapping.js";
import type { FileNotation } from "./notation/notation.js";

/** Maximum number of values in one condition. */
const atOnce = 100;

/** How the columns of a file are read. */
interface Mapped {
  readonly resource: Resource;
  readonly mapping: Mapping;
  readonly notation: FileNotation;
}

/** Looks up the records that link cells name, each name once. */
export async function findLinks(
  table: Table,
  { resource, mapping, notation }: Mapped,
  signal: AbortSignal,
): Promise<Found> {
  const found: Record<string, ReadonlyMap<string, string | null>> = {};
  for (const [at, target] of mapping.entries()) {
    const field = resource.fields.find(({ name }) => name === target?.field);
    if (target === null || target.by === null || field?.resource === undefined) continue;
    const cells = table.rows.map((row) => notation.cellOf(row, at, target).trim());
    const names = [...new Set(cells)].filter((name) => name !== "");
    const ids = new Map<string, string>();
    for (let from = 0; from < names.length; from += atOnce) {
      const some = names.slice(from, from + atOnce);
      for (const row of await ask({ resource: field.resource, by: target.by }, some, signal)) {
        ids.set(String(row[target.by]), row.id);
      }
    }
    found[field.name] = ids;
  }
  return found;
}

async function ask(
  { resource, by }: { readonly resource: string; readonly by: string },
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const query = {
    where: { [`field:${by}`]: { in: names } },
    fields: [by],
    perPage: atOnce,
  };
  const page = await call<Page<Row>>("POST", `/${resource}/_query`, { body: query, signal });
  return page.data;
}
