import { cellWords } from "../files/cell-words.js";

/** A record of a file, or why it is unreadable. */
export type Found = Place & ({ readonly text: string } | { readonly problem: string });

/** The position of a record. */
export interface Place {
  /** The number of the record's first line. */
  readonly line: number;
  /** The offset after the record; below it, the number of the next line. */
  readonly end: number;
  readonly nextLine: number;
}

/** Maximum size of a record in bytes; each record is in memory twice, as bytes and as a value. */
export const maxRecordBytes = 16 * 1024 * 1024;

/** The mistakes that make a record unreadable. */
export const problems = {
  neverClosed: cellWords.neverClosed,
  insideCell: "A quotation mark inside a cell that does not begin with one",
  behindQuote: "Text after a closing quotation mark",
  tooLong: "This record is longer than 16 MiB",
  encoding: (name: string) => `This row is not ${name}`,
  noHeader: "The file has no header",
  cells: (expected: number, found: number) =>
    `Expected ${expected} ${expected === 1 ? "cell" : "cells"}, found ${found}`,
} as const;
