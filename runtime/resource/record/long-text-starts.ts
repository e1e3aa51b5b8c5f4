import type { Caller } from "../../own-code/index.js";
import { withFields } from "../rights/readable.js";
import { kindOf } from "../table/kinds/kinds.js";
import { detailsKeyOf } from "../table/record-json.js";
import type { Column, Table } from "../table/table.js";

/**
 * Returns `fields` with everything that the caller may read of a record, but only the first characters of each long
 * text; undefined, which means the whole record, if there is no long text.
 */
export function fieldsWithStarts(
  table: Table<never>,
  { role }: Caller,
  characters: number,
): readonly string[] | undefined {
  const columns = Object.entries<Column>(withFields(table, role).columns);
  if (!columns.some(([, column]) => kindOf(column).isLong)) return undefined;
  return columns.flatMap(([key, column]) => {
    if (kindOf(column).isLong) return [`${key}:${characters}`];
    const details = detailsKeyOf(key, column);
    return details === null ? [key] : [key, details];
  });
}
