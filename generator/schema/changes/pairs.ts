import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { columnIn, type Schema, tableIn } from "../../../runtime/values/schema/schema.js";
import { setEntries } from "./entries.js";
import type { Renames } from "./renames/renames.js";

/** Makes entries of the rows of tables that are dropped after it. */
export function pairsIntoEntries({ pairs = [] }: Pick<Renames, "pairs">): readonly Change[] {
  return pairs.filter(({ into }) => into === "entries");
}

/** Makes rows of new tables of the entries of lists, which end with it. */
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
