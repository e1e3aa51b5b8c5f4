import Papa from "papaparse";
import { bareCell } from "../../../../values/files/spreadsheet.js";

/** A table of records: the column names, and the rows as they are written. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly delimiter: string;
}

export type ReadTable =
  | { readonly kind: "table"; readonly table: Table }
  | {
      readonly kind: "refused";
      readonly reason: "encoding" | "empty" | "rows" | "size" | "broken";
    };

/** The whole file is held in memory, and again as rows. */
export const mostRows = 100_000;
export const mostBytes = 50_000_000;

/**
 * Parses CSV in UTF-8; the separator is a comma, semicolon or tab. A file that begins with a byte order mark is one for
 * spreadsheets, as `service export --spreadsheet` and the dashboard write it: the apostrophes before cells that a
 * spreadsheet would run are removed.
 */
export function readTable(bytes: Uint8Array): ReadTable {
  if (bytes.length > mostBytes) return { kind: "refused", reason: "size" };
  const text = decoded(bytes);
  if (text === null) return { kind: "refused", reason: "encoding" };
  const { data, meta, errors } = Papa.parse<string[]>(text, {
    delimitersToGuess: [",", ";", "\t"],
    skipEmptyLines: "greedy",
    preview: mostRows + 2,
  });
  const [head, ...rows] = data;
  if (head === undefined || rows.length === 0) return { kind: "refused", reason: "empty" };
  if (rows.length > mostRows) return { kind: "refused", reason: "rows" };
  if (errors.some(({ type }) => type === "Quotes")) return { kind: "refused", reason: "broken" };
  const { delimiter } = meta;
  const isForSpreadsheet = mark.every((byte, at) => bytes[at] === byte);
  return {
    kind: "table",
    table: {
      head: head.map((name) => name.trim()),
      rows: isForSpreadsheet ? rows.map((row) => row.map(bareCell)) : rows,
      delimiter,
    },
  };
}

/** The byte order mark in UTF-8. */
const mark = [0xef, 0xbb, 0xbf];

function decoded(bytes: Uint8Array): string | null {
  try {
    // Remove the byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
