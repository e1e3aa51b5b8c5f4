/** The types of values in expressions; an enum's values are strings. */
export type ValueType = "string" | "number" | "boolean" | "date";

/** The maximum size of a value. */
export interface Size {
  /** Number of characters of a string. */
  readonly characters: number;
  /** Number of digits before the decimal point, and after it. */
  readonly digits: number;
  readonly places: number;
}

/** How expressions use a field's values. */
export interface Operand {
  readonly type: ValueType;
  readonly size: Size;
  /** Converts SQL of the column to SQL of the value. */
  readonly sql: (column: string) => string;
  /** The values of an enum; null for other fields. */
  readonly values: readonly string[] | null;
}

/** The collation by which lists sort strings. */
export const textOrder = ' collate "und-x-icu"';

export const noSize: Size = { characters: 0, digits: 0, places: 0 };

/** An operand whose stored values are used unchanged. */
export function plainOperand(type: ValueType, size: Partial<Size> = {}): Operand {
  return { type, size: { ...noSize, ...size }, sql: (column) => column, values: null };
}

/** The maximum of each component of several sizes. */
export function largest(sizes: readonly Size[]): Size {
  const most = (of: (size: Size) => number) => Math.max(0, ...sizes.map(of));
  return {
    characters: most(({ characters }) => characters),
    digits: most(({ digits }) => digits),
    places: most(({ places }) => places),
  };
}
