/** The types that expressions compute with; an enum's values are texts. */
export type ValueType = "string" | "number" | "boolean" | "date";

/** The largest size of a value. */
export interface Size {
  /** Characters of a text. */
  readonly characters: number;
  /** Digits of a number before the decimal point, and after it. */
  readonly digits: number;
  readonly places: number;
}

/** How a field's values take part in expressions. */
export interface Operand {
  readonly type: ValueType;
  readonly size: Size;
  /** Returns SQL of the value from SQL of the column. */
  readonly sql: (column: string) => string;
  /** The values of an enum; null for other fields. */
  readonly values: readonly string[] | null;
}

/** The collation by which lists sort texts. */
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
