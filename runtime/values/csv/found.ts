import { cellWords } from "../files/cell-words.js";

/** A record as it was found in a file, or why it cannot be read. */
export type Found = Place & ({ readonly text: string } | { readonly problem: string });

/** Where a record is. */
export interface Place {
  /** The number of the line in which it begins. */
  readonly line: number;
  /** The number of the first byte behind it, and of the line there. */
  readonly end: number;
  readonly nextLine: number;
}

/** A record is held in memory, and again as a value. */
export const maxRecordBytes = 16 * 1024 * 1024;

/** What is wrong with a record that cannot be read. */
export const problems = {
  neverClosed: cellWords.neverClosed,
  insideCell: "A quotation mark inside a cell that does not begin with one",
  behindQuote: "Text behind a closing quotation mark",
  tooLong: "This record is longer than 16 MiB",
  encoding: (name: string) => `This row is not ${name}`,
  noHeader: "The file has no header",
  cells: (expected: number, found: number) =>
    `Expected ${expected} ${expected === 1 ? "cell" : "cells"}, found ${found}`,
} as const;
