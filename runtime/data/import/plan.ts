import {
  columnOf,
  keyOfRows,
  type NamedLink,
  namedLink,
  type ResourceDefinition,
  type RowsPlan,
} from "../../resource/index.js";
import { didYouMean } from "../../values/nearest.js";
import type { CellColumn } from "../read/value.js";
import { type FileFields, fieldColumn } from "./columns.js";
import type { ImportRequest } from "./request.js";

/** An unknown name in the options. */
export class WrongName extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Returns how the rows of a request are stored.
 *
 * @throws {WrongName} for an unknown resource, or an unknown name in the request's options.
 */
export function planOf(
  definitions: readonly ResourceDefinition[],
  request: ImportRequest,
): RowsPlan {
  const { resource, link, upsert } = request;
  const definition = definitions.find(({ table }) => table.resource === resource);
  if (definition === undefined) {
    const names = definitions.map(({ table }) => table.resource);
    const hint = didYouMean(resource, names) ?? `the resources are: ${names.join(", ")}`;
    throw new WrongName(`There is no resource ${JSON.stringify(resource)}`, hint);
  }
  const { table } = definition;
  refuseUnknownFields(definition, request);
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

export function refuseUnknownFields(
  fields: FileFields,
  request: Pick<ImportRequest, "resource" | "map" | "set" | "values" | "join">,
): void {
  const { resource, map, set, values, join } = request;
  const named = {
    map: Object.values(map).filter((field) => field !== ""),
    set: Object.keys(set),
    values: Object.keys(values),
    join: Object.keys(join),
  };
  for (const [option, names] of Object.entries(named)) {
    const field = names.find((name) => fieldColumn(fields, name) === null);
    for (const name of names) {
      const { computed, readOnly } = fieldColumn(fields, name) ?? {};
      if (computed === undefined && readOnly === undefined) continue;
      const why = readOnly === undefined ? "computed" : "read-only";
      throw new WrongName(`--${option}: ${name} of ${resource} is ${why}`, null);
    }
    if (field === undefined) continue;
    const hint = didYouMean(field, Object.keys(fields.table.columns));
    throw new WrongName(
      `--${option}: ${JSON.stringify(field)} is not a field of ${resource}`,
      hint,
    );
  }
}

/** The columns by which the cells of links are parsed, for links that refer to records by name. */
export function linkColumns({ links }: RowsPlan): ReadonlyMap<string, CellColumn> {
  return new Map(
    links.map(({ key, isList, by }) => {
      const { kind = "string" } = (by && columnOf(by.table, by.key)) ?? {};
      return [key, isList ? { kind, isListed: true } : { kind }];
    }),
  );
}
