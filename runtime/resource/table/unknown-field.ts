import { didYouMean } from "../../values/nearest.js";
import { columnOf, type Table } from "./table.js";

/** Maximum number of code points of a name quoted in a message. */
const maxQuoted = 100;

/** `"pricee" is not a field: did you mean "price"?`; suggests only these columns. */
export function notField(table: Pick<Table<never>, "columns">, name: string): string {
  if (columnOf(table, name)?.missing === true) return `Records have no ${quoted(name)}`;
  const hint = didYouMean(name.slice(0, maxQuoted), Object.keys(table.columns));
  return `${quoted(name)} is not a field${hint === null ? "" : `: ${hint}`}`;
}

/** The name as sent, in quotes, truncated if it is long. */
export function quoted(name: string): string {
  const [...characters] = name;
  const shown = characters.slice(0, maxQuoted).join("");
  return `"${shown}${characters.length > maxQuoted ? "…" : ""}"`;
}
