import { hasExactDigits } from "../../../../values/decimal.js";

/** How an amount is added to a stored value of a column. */
export interface Addition {
  /** SQL of the argument of `result`; `value` is SQL, and `amount` returns the SQL of the amount. */
  sum(value: string, amount: () => string): string;
  /** The sum; `isExact` is false if it has more digits than a JavaScript number holds. */
  result(text: string, amount: number): { readonly value: number; readonly isExact: boolean };
}

/** For numbers that PostgreSQL adds exactly. */
export const exactAddition: Addition = {
  sum: (value, amount) => `trim_scale(${value} + ${amount()}::numeric)::text`,
  // Whole numbers beyond a JavaScript number's precision are out of a field's range.
  result: (text) => ({ value: Number(text), isExact: !text.includes(".") || hasExactDigits(text) }),
};

/** For doubles: PostgreSQL aborts the transaction if a sum is out of range. */
export const doubleAddition: Addition = {
  sum: (value) => `${value}::text`,
  result: (text, amount) => ({ value: Number(text) + amount, isExact: true }),
};
