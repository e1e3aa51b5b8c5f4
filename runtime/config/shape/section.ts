import { z } from "zod";

export const mapOfSettings = { error: "must be a map of settings" };

/** A map of settings; if it is missing or empty, all have their defaults. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => value ?? {}, z.strictObject(shape, mapOfSettings));
}

/** A map of settings whose names the app chooses. */
export function mapOf<Value extends z.ZodType>(value: Value) {
  return z.preprocess((values) => values ?? {}, z.record(name, value, mapOfSettings));
}

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, {
  error: "must be a name of letters, digits, - and _ that begins with a letter",
});
