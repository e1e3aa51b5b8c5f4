/** The space that a value takes in the 8 kB of its row. */
export interface InRow {
  readonly bytes: number;
  /** The value's first byte is at a multiple of this number. */
  readonly alignment: 1 | 4 | 8;
}

/**
 * PostgreSQL moves long values out of a row that is too wide, and leaves a pointer of 18 bytes for
 * each. Values of up to 24 bytes stay (`toast_tuple_find_biggest_attribute` in PostgreSQL's
 * `toast_helper.c`).
 */
const maxImmovableBytes = 24;

/** A value of any length; a decimal is never longer than this. */
export const movable: InRow = { bytes: maxImmovableBytes, alignment: 1 };

/** A text of at most that number of bytes, plus one for its length. */
export function textInRow(bytes: number): InRow {
  return { bytes: Math.min(bytes + 1, maxImmovableBytes), alignment: 1 };
}
