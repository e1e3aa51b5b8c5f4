import type { z } from "zod";
import { hasExactDigits } from "../../../../values/decimal.js";

/** How a PATCH changes a column's stored value, by an amount that is added to a number, or by elements of a list. */
export interface Addition {
  /** Reads the value sent for the field; null for a value that replaces the stored one. */
  read(sent: unknown, schema: z.ZodType | undefined): ReadAmount | null;
  /** SQL for the argument of `result`; `value` is SQL, and `amount` returns SQL. */
  sum(value: string, amount: () => string): string;
  /** Returns the sum; `isExact` is false if it has more digits than a JavaScript number can represent. */
  result(text: string, amount: unknown): { readonly value: unknown; readonly isExact: boolean };
}

/** An amount for `Addition.result`, or its mistakes with paths inside the value. */
export type ReadAmount =
  | { readonly amount: unknown }
  | {
      readonly issues: readonly {
        readonly path: readonly (string | number)[];
        readonly message: string;
      }[];
    };

/** Returns the number in `{ "add": -1 }`; null if the value is not a finite amount. */
export function amountOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { add, ...others } = value as { readonly add?: unknown };
  const isAmount = typeof add === "number" && Number.isFinite(add);
  return isAmount && Object.keys(others).length === 0 ? add : null;
}

function readAmount(sent: unknown): ReadAmount | null {
  const amount = amountOf(sent);
  return amount === null ? null : { amount };
}

/** For numbers that PostgreSQL adds exactly. */
export const exactAddition: Addition = {
  read: readAmount,
  sum: (value, amount) => `trim_scale(${value} + ${amount()}::numeric)::text`,
  // Whole numbers beyond the precision of JavaScript numbers are out of the field's range.
  result: (text) => ({ value: Number(text), isExact: !text.includes(".") || hasExactDigits(text) }),
};

/** For doubles: PostgreSQL aborts the transaction if a sum is out of range. */
export const doubleAddition: Addition = {
  read: readAmount,
  sum: (value) => `${value}::text`,
  result: (text, amount) => ({ value: Number(text) + Number(amount), isExact: true }),
};
