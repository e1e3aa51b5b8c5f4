/** The space that a value occupies in the 8 kB of its row. */
export interface InRow {
  readonly bytes: number;
  /** The offset of the value's first byte is a multiple of this number. */
  readonly alignment: 1 | 4 | 8;
}

/**
 * Maximum number of bytes of a value that always stays in its row, 24 (`toast_tuple_find_biggest_attribute` in
 * PostgreSQL's `toast_helper.c`). PostgreSQL moves longer values out of a row that is too wide, and leaves a pointer of
 * 18 bytes for each.
 */
const maxImmovableBytes = 24;

/** The space for a value of any length; decimals need no more than this. */
export const movable: InRow = { bytes: maxImmovableBytes, alignment: 1 };

/** Returns the space for a string of at most that number of bytes, plus one byte for its length. */
export function textInRow(bytes: number): InRow {
  return { bytes: Math.min(bytes + 1, maxImmovableBytes), alignment: 1 };
}
