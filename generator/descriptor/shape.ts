import { z } from "zod";
import type { Options } from "../kind/kind.js";
import { words } from "../kind/options.js";
import { resourceNamePattern } from "../model/names.js";

/** Links on the way to the account that owns a record. */
const maxOwnerLinks = 3;
const ownerPattern = /^[a-z][A-Za-z0-9]{0,62}(?:\.[a-z][A-Za-z0-9]{0,62}){0,2}$/;

const iconPattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const maxIconLength = 40;

/** The top level of a descriptor; access, fields, lists of fields and forms are read in separate files. */
export const descriptorShape = z.strictObject({
  label: words(255).optional(),
  singular: words(255).optional(),
  was: z
    .string("must be a resource's name")
    .regex(resourceNamePattern, "must be a resource's name, such as order-items")
    .describe("write the name that the file had before, without its ending")
    .optional(),
  access: z.unknown().optional(),
  owner: z
    .string("must be a link's name")
    .regex(
      ownerPattern,
      `must be a required link to users, or a way of at most ${maxOwnerLinks} to one`,
    )
    .describe("write a field such as customerId, or a way such as orderId.customerId")
    .optional(),
  title: z
    .string("must be a field's name")
    .describe("write the string field that names a record, such as name")
    .optional(),
  icon: z
    .string("must be an icon's name")
    .regex(iconPattern, "must be an icon's name: lower-case words with dashes between them")
    .max(maxIconLength, `must be at most ${maxIconLength} characters long`)
    .describe("write a name such as cart; one that a dashboard does not know is drawn as a table")
    .optional(),
  group: words(255).optional(),
  list: z.unknown().optional(),
  form: z.unknown().optional(),
  fields: z.unknown().optional(),
  unique: z.unknown().optional(),
  indexes: z.unknown().optional(),
});

/** True for what YAML calls a map. */
export function isMap(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
