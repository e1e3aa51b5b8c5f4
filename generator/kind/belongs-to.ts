import { z } from "zod";
import type { BelongsToField } from "../model/model.js";
import { plainKeyBytes } from "./key.js";
import type { Kind } from "./kind.js";
import { commonOptions, flag } from "./options.js";

const options = z.strictObject({
  ...commonOptions,
  resource: z
    .string("must be the name of a resource")
    .describe("write the name of a descriptor without its ending, such as categories"),
  onDelete: z
    .enum(["refuse", "cascade"], "must be refuse or cascade")
    .describe(
      "refuse keeps the target from being deleted, cascade deletes this record with it; the link of an optional field is cleared",
    )
    .optional(),
  unique: flag.optional(),
});

type BelongsToOptions = z.output<typeof options>;

/** A link to a record of another resource, of this one, or to an account. */
export const belongsTo: Kind<BelongsToField, BelongsToOptions> = {
  name: "belongsTo",
  example: "{ type: belongsTo, resource: categories }",
  options,
  check({ onDelete, required = false }) {
    if (onDelete === undefined || required) return [];
    const message = `"onDelete" is for required links, and an optional one is always cleared`;
    return [{ path: ["onDelete"], message, hint: 'add required: true, or remove "onDelete"' }];
  },
  field(common, written, linkTo) {
    return {
      ...common,
      kind: "belongsTo",
      unique: written.unique ?? false,
      onDelete: written.onDelete ?? null,
      target: linkTo(written.resource),
    };
  },
  typescript: () => ({ name: "string" }),
  validation: () => ({ validator: "reference", argument: null }),
  sql: () => ({ type: "uuid", check: null }),
  keyBytes: () => plainKeyBytes,
  inRow: () => ({ bytes: 16, alignment: 1 }),
};
