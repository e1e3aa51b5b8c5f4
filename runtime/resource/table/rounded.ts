import type { z } from "zod";
import { roundTo } from "../../values/decimal.js";
import { amountOf } from "./amounts.js";
import { placesOf } from "./kinds/number.js";

type Body = Readonly<Record<string, unknown>>;

/**
 * Values of own code, where each number for an exact decimal, and each amount that is added to one, is rounded to the places of its field: what JavaScript
 * makes of 0.1 + 0.2 is 0.3 then. What clients send is never rounded.
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
