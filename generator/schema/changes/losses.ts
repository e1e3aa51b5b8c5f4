import { tableOf } from "../../../runtime/values/schema/change.js";
import type { Change, ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import {
  type Column,
  columnIn,
  type Schema,
  tableIn,
} from "../../../runtime/values/schema/schema.js";

/** The hazard of a change, and the columns concerned; empty for the whole table. */
export interface Found {
  readonly columns: readonly Column[];
  readonly what: string;
  readonly isDrop: boolean;
  /** The descriptor's key to report in place of a field. */
  readonly part?: string;
}

export function lostValues(column: Column): Found {
  return { columns: [column], what: `the values of "${column.field}" would be lost`, isDrop: true };
}

export const lostTrash: Found = {
  columns: [],
  what: "the records in its trash would be lost",
  isDrop: false,
  part: "trash",
};

/**
 * Returns the hazards of dropping a table or list after its pairs have been moved: rows or values that are not part of
 * a pair. Null for any other change.
 */
export function movedHazards(
  schema: Schema,
  change: Change,
  changes: readonly Change[],
): readonly Found[] | null {
  const moves = changes.filter((one) => one.kind === "movePairs");
  if (change.kind === "dropColumn") {
    const { table, column } = change;
    const move = moves.find(
      (one) => one.into === "rows" && one.table === table && one.column === column,
    );
    if (move === undefined) return null;
    const isKept = changes.some(
      (one) => one.kind === "setTrash" && one.table === move.pairs.table && one.to,
    );
    const list = columnIn(tableIn(schema, table), column);
    const what = `the lists "${list.field}" of records in the trash would be lost`;
    return isKept || !hasTrash(schema, change, changes) ? [] : [{ ...lostValues(list), what }];
  }
  const move = moves.find(
    ({ into, pairs }) => into === "entries" && pairs.table === tableOf(change),
  );
  if (change.kind !== "dropTable" || move === undefined) return null;
  const table = tableIn(schema, change.table);
  const { record, target } = move.pairs;
  const others = table.columns.filter(
    ({ name, field }) => field !== null && name !== record && name !== target,
  );
  // The trash contains pairs that were deleted individually; those deleted with a record are moved with it.
  return [...others.map(lostValues), ...(table.trash === true ? [lostTrash] : [])];
}

/** Whether records with the list, or records in it, may be in the trash. */
function hasTrash(
  { tables }: Schema,
  { table, column }: ChangeOf<"dropColumn">,
  changes: readonly Change[],
): boolean {
  const targets = changes.flatMap((one) =>
    one.kind === "setEntries" && one.table === table && one.column === column && one.from !== null
      ? [one.from.table]
      : [],
  );
  return tables.some(({ name, trash }) => trash === true && [table, ...targets].includes(name));
}
