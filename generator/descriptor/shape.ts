import { z } from "zod";
import type { Options } from "../kind/kind.js";
import { words } from "../kind/options.js";
import { resourceNamePattern } from "../model/names.js";

/** The top level of a descriptor; access, fields and lists of fields are read in separate files. */
export const descriptorShape = z.strictObject({
  label: words(255).optional(),
  singular: words(255).optional(),
  was: z
    .string("must be a resource's name")
    .regex(resourceNamePattern, "must be a resource's name, such as order-items")
    .describe("write the name that the file had before, without its ending")
    .optional(),
  access: z.unknown().optional(),
  fields: z.unknown().optional(),
  unique: z.unknown().optional(),
  indexes: z.unknown().optional(),
});

/** True for what YAML calls a map. */
export function isMap(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
