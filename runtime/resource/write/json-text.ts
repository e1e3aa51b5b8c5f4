import type { JsonObject } from "../../http/index.js";
import { jsonFaults } from "../../values/stored-json/faults.js";
import type { JsonIssue } from "../../values/stored-json/rules.js";
import { markedMembers } from "../../values/stored-json/unsound.js";
import { onceFor } from "../rights/once-for.js";
import { kindOf } from "../table/kinds/kinds.js";
import { type Column, columnOf, type Table } from "../table/table.js";

/** Whether the table has JSON fields. */
const hasJson = onceFor(({ columns }: Table<never>) =>
  Object.values<Column>(columns).some((column) => kindOf(column).hasMembers),
);

/** Whether it is a JSON field. */
export function isJson(table: Table<never>, key: string): boolean {
  const column = columnOf(table, key);
  return column !== null && kindOf(column).hasMembers;
}

/**
 * The values of a body, with marks on JSON values whose text has mistakes that the parsed value does not show. `path`
 * is the path to the values in the text.
 */
export function markedValues(
  table: Table<never>,
  values: JsonObject,
  { faults, path = [] }: { readonly faults: () => Faults; readonly path?: Faults[number]["path"] },
): JsonObject {
  if (!hasJson(table)) return values;
  const isOfJson = (key: string) => isJson(table, key);
  if (!Object.keys(values).some(isOfJson)) return values;
  return markedMembers(values, isOfJson, { faults: faults(), path });
}

type Faults = readonly JsonIssue[];

/** Returns a function for the mistakes in a JSON text, which parses the text at the first call. */
export function faultsIn(bytes: Uint8Array): () => Faults {
  let faults: Faults | null = null;
  return () => {
    faults ??= jsonFaults(new TextDecoder().decode(bytes));
    return faults;
  };
}
