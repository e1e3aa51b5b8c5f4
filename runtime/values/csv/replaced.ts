import { readCells } from "./cells.js";

/** What stands for nothing in a file, and what its values are called here. */
export interface Replaced {
  /** Cells that are empty. */
  readonly nulls: readonly string[];
  /** By field, the values that stand for others. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Words that are separated by commas, in quotation marks where one has a comma; null where these are wrong. */
export function readWords(written: string): readonly string[] | null {
  const read = readCells(written, ",");
  return "problem" in read ? null : read.cells.map((word) => word.trim());
}

/** Reads `Åpen=open,Stengt=closed`; null for any other text. */
export function readValues(written: string): Readonly<Record<string, string>> | null {
  const words = readWords(written);
  const pairs = (words ?? []).map((word) => [word, word.lastIndexOf("=")] as const);
  if (words === null || pairs.some(([, at]) => at < 1)) return null;
  const values = pairs.map(([word, at]) => [word.slice(0, at).trim(), word.slice(at + 1).trim()]);
  const isOnce = new Set(values.map(([from]) => from)).size === values.length;
  return isOnce ? Object.fromEntries(values) : null;
}

/** What a cell stands for, before it is read as a value. Blanks around it are no part of its word. */
export function replacer({ nulls, values }: Replaced) {
  const empty = new Set(nulls);
  const byField = new Map(
    Object.entries(values).map(([field, words]) => [field, new Map(Object.entries(words))]),
  );
  return {
    /** The cell, empty where it stands for nothing. */
    bare: empty.size === 0 ? same : (cell: string) => (empty.has(cell.trim()) ? "" : cell),
    /** The cells of a field in the words of that field. */
    of(field: string): (cell: string) => string {
      const words = byField.get(field);
      return words === undefined ? same : (cell) => words.get(cell.trim()) ?? cell;
    },
  };
}

function same(cell: string): string {
  return cell;
}

/** The cells of several columns as that of one: with a blank between those that are not empty. */
export function joinedCell(cells: readonly string[]): string {
  return cells.filter((cell) => cell !== "").join(" ");
}
