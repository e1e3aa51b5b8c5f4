import {
  columnOf,
  keyOfRows,
  type NamedLink,
  namedLink,
  type ResourceDefinition,
  type RowsPlan,
} from "../../resource/index.js";
import { didYouMean } from "../../values/nearest.js";
import { type FileFields, fieldColumn } from "./columns.js";
import type { ImportRequest } from "./request.js";

/** A name in the options that there is not. */
export class WrongName extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/**
 * How the rows of a request are stored.
 *
 * @throws {WrongName} for an unknown resource, or what its options name.
 */
export function planOf(
  definitions: readonly ResourceDefinition[],
  { resource, map, link, upsert }: ImportRequest,
): RowsPlan {
  const definition = definitions.find(({ table }) => table.resource === resource);
  if (definition === undefined) {
    const names = definitions.map(({ table }) => table.resource);
    const hint = didYouMean(resource, names) ?? `the resources are: ${names.join(", ")}`;
    throw new WrongName(`There is no resource ${JSON.stringify(resource)}`, hint);
  }
  const { table } = definition;
  refuseUnknownFields(definition, { resource, map });
  const by = upsert === null ? null : keyOfRows(table, upsert.split("+"));
  if (upsert !== null && by === null) {
    throw new WrongName(`--upsert: ${JSON.stringify(upsert)} is not unique`);
  }
  const links = Object.entries(link).map(([key, name]): NamedLink => {
    const named = namedLink(table, key, name);
    if ("problem" in named) throw new WrongName(`--link: ${named.problem}`);
    return named;
  });
  return { definition, by, links };
}

/** Refuses a `--map` to what is no field. */
export function refuseUnknownFields(
  fields: FileFields,
  { resource, map }: Pick<ImportRequest, "resource" | "map">,
): void {
  for (const field of Object.values(map)) {
    if (field === "" || fieldColumn(fields, field) !== null) continue;
    const hint = didYouMean(field, Object.keys(fields.table.columns));
    throw new WrongName(`--map: ${JSON.stringify(field)} is not a field of ${resource}`, hint);
  }
}

/** The columns by which the cells of named links are read. */
export function linkColumns({ links }: RowsPlan) {
  return new Map(
    links.map(({ key, by }) => {
      const column = by === null ? null : columnOf(by.table, by.key);
      return [key, column ?? { kind: "string" as const }] as const;
    }),
  );
}
