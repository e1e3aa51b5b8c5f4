import type { z } from "zod";
import { roundTo } from "../../values/decimal.js";
import { placesOf } from "./kinds/number.js";
import { amountOf } from "./kinds/value/addition.js";
import { elementsOf } from "./kinds/value/list-change.js";

type Body = Readonly<Record<string, unknown>>;

/**
 * Rounds the numbers for exact decimals in values from app code, including amounts to add, to the places of their
 * fields: JavaScript's 0.1 + 0.2 becomes 0.3. Values from clients are never rounded.
 */
export function roundedDecimals(shape: Readonly<Record<string, z.ZodType>>, values: Body): Body {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
      const elements = elementsOf(schema);
      const places = placesOf(elements?.element ?? schema);
      if (places === null) return [key, value];
      if (elements !== null) return [key, withRounded(value, places)];
      if (typeof value === "number") return [key, roundTo(value, places)];
      const amount = amountOf(value);
      return [key, amount === null ? value : { add: roundTo(amount, places) }];
    }),
  );
}

/** Rounds the numbers of a list, or of a change of a list. */
function withRounded(value: unknown, places: number): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => (typeof one === "number" ? roundTo(one, places) : one));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, list]) => [
      key,
      Array.isArray(list) ? withRounded(list, places) : list,
    ]),
  );
}
