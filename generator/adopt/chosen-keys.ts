import type { Catalogue, FoundTable } from "./catalogue/catalogue.js";
import { shownName } from "./model/adoption.js";

/** The column that the command line names as the key of a table. */
export type ChosenKeys = ReadonlyMap<FoundTable, string>;

/** Reads `Artist=ArtistId`, or `sales.Artist=ArtistId`; `unknown` are those that name no table of the catalogue. */
export function chosenKeys(
  written: readonly string[],
  { tables }: Catalogue,
): { readonly keys: ChosenKeys; readonly unknown: readonly string[] } {
  const keys = new Map<FoundTable, string>();
  const unknown: string[] = [];
  for (const text of written) {
    const found = tables.flatMap((table) => {
      const column = columnIn(text, table);
      return column === null ? [] : [[table, column] as const];
    });
    for (const [table, column] of found) keys.set(table, column);
    if (found.length === 0) unknown.push(text);
  }
  return { keys, unknown };
}

/** Names of tables and columns may have an equals sign. */
function columnIn(text: string, table: FoundTable): string | null {
  for (const name of [shownName(table), table.name]) {
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return null;
}
