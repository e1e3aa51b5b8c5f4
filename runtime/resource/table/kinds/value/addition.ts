import { hasExactDigits } from "../../../../values/decimal.js";

/** How an amount is added to a stored value of a column. */
export interface Addition {
  /** SQL of what `result` takes; `value` is SQL, and `amount` returns the SQL of the amount. */
  sum(value: string, amount: () => string): string;
  /** The sum; `isExact` is false if it has more digits than a number holds. */
  result(text: string, amount: number): { readonly value: number; readonly isExact: boolean };
}

/** Of numbers that PostgreSQL adds up exactly. */
export const exactAddition: Addition = {
  sum: (value, amount) => `trim_scale(${value} + ${amount()}::numeric)::text`,
  // Whole numbers that a number does not hold are beyond what a field takes.
  result: (text) => ({ value: Number(text), isExact: !text.includes(".") || hasExactDigits(text) }),
};

/** Of doubles: PostgreSQL ends the transaction where a sum is beyond their range. */
export const doubleAddition: Addition = {
  sum: (value) => `${value}::text`,
  result: (text, amount) => ({ value: Number(text) + amount, isExact: true }),
};
