import { readCells } from "./cells.js";

/** Words in a file that stand for null, or for values of the app. */
export interface Replaced {
  /** Cell contents that mean null. */
  readonly nulls: readonly string[];
  /** By field, the value for each word in the file. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Parses comma-separated words; a word with a comma is in quotation marks. Null if quotation marks are unbalanced. */
export function readWords(written: string): readonly string[] | null {
  const read = readCells(written, ",");
  return "problem" in read ? null : read.cells.map((word) => word.trim());
}

/** Parses `Åpen=open,Stengt=closed`; null for any other text. */
export function readValues(written: string): Readonly<Record<string, string>> | null {
  const words = readWords(written);
  const pairs = (words ?? []).map((word) => [word, word.lastIndexOf("=")] as const);
  if (words === null || pairs.some(([, at]) => at < 1)) return null;
  const values = pairs.map(([word, at]) => [word.slice(0, at).trim(), word.slice(at + 1).trim()]);
  const isOnce = new Set(values.map(([from]) => from)).size === values.length;
  return isOnce ? Object.fromEntries(values) : null;
}

/** Returns functions that replace a cell's text before it is parsed; surrounding spaces are ignored. */
export function replacer({ nulls, values }: Replaced) {
  const empty = new Set(nulls);
  const byField = new Map(
    Object.entries(values).map(([field, words]) => [field, new Map(Object.entries(words))]),
  );
  return {
    /** Returns the cell; empty if it means null. */
    bare: empty.size === 0 ? same : (cell: string) => (empty.has(cell.trim()) ? "" : cell),
    /** Returns a function that replaces the words in a field's cells. */
    of(field: string): (cell: string) => string {
      const words = byField.get(field);
      return words === undefined ? same : (cell) => words.get(cell.trim()) ?? cell;
    },
  };
}

function same(cell: string): string {
  return cell;
}

/** Joins non-empty cells of several columns with spaces. */
export function joinedCell(cells: readonly string[]): string {
  return cells.filter((cell) => cell !== "").join(" ");
}
