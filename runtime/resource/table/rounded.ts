import type { z } from "zod";
import { roundTo } from "../../values/decimal.js";
import { placesOf } from "./kinds/number.js";
import { amountOf } from "./kinds/value/addition.js";

type Body = Readonly<Record<string, unknown>>;

/**
 * Values from app code, with numbers for exact decimals, and amounts added to them, rounded to the places of their
 * fields: JavaScript's 0.1 + 0.2 becomes 0.3. Values from clients are never rounded.
 */
export function roundedDecimals(shape: Readonly<Record<string, z.ZodType>>, values: Body): Body {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const places = Object.hasOwn(shape, key) ? placesOf(shape[key]) : null;
      if (places === null) return [key, value];
      if (typeof value === "number") return [key, roundTo(value, places)];
      const amount = amountOf(value);
      return [key, amount === null ? value : { add: roundTo(amount, places) }];
    }),
  );
}
