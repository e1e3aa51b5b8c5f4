import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { columnIn, type Schema, tableIn } from "../../../runtime/values/schema/schema.js";
import { setEntries } from "./entries.js";
import type { Renames } from "./renames/renames.js";

/** Converts the rows of tables, which are then dropped, to entries. */
export function pairsIntoEntries({ pairs = [] }: Pick<Renames, "pairs">): readonly Change[] {
  return pairs.filter(({ into }) => into === "entries");
}

/** Converts the entries of lists, which are then removed, to rows of new tables. */
export function pairsIntoRows(
  now: Schema,
  { pairs = [] }: Pick<Renames, "pairs">,
): readonly Change[] {
  return pairs.flatMap((move): Change[] => {
    if (move.into !== "rows") return [];
    const { entries } = columnIn(tableIn(now, move.table), move.column);
    return entries === undefined
      ? []
      : [move, setEntries(move.table, move.column, { from: entries })];
  });
}
