import type { Catalogue, FoundTable } from "./catalogue/catalogue.js";
import { shownName } from "./model/adoption.js";

/** The key columns chosen on the command line, by table. */
export type ChosenKeys = ReadonlyMap<FoundTable, string>;

/**
 * Parses `Artist=ArtistId` or `sales.Artist=ArtistId`; `unknown` lists arguments that match no table of the catalogue.
 */
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

/**
 * Returns the column in an argument for this table, or null. Names of tables and columns may contain an equals sign.
 */
function columnIn(text: string, table: FoundTable): string | null {
  for (const name of [shownName(table), table.name]) {
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return null;
}
