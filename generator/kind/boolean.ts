import { z } from "zod";
import { plainOperand } from "../expression/operand.js";
import { reader } from "./column/conversion.js";
import { maxPlainKeyBytes } from "./column/key.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { computedOptions } from "./option/computed.js";
import { commonOptions, flag } from "./option/options.js";

export interface BooleanField extends CommonField {
  readonly kind: "boolean";
  readonly default: boolean | null;
}

const options = z
  .strictObject({
    ...commonOptions,
    ...computedOptions,
    default: flag.optional().describe("Used when a record is created without the field."),
  })
  .describe("True or false.");

type BooleanOptions = z.output<typeof options>;

/** True or false, or null if the field is optional. */
export const boolean: Kind<BooleanField, BooleanOptions> = {
  ...kindDefaults,
  name: "boolean",
  otherNames: { bool: "{ type: boolean }" },
  example: "{ type: boolean, default: false }",
  options,
  field: (common, written) => ({ ...common, kind: "boolean", default: written.default ?? null }),
  typescript: () => ({ name: "boolean" }),
  schema: (field) => ({ shown: { type: "boolean" }, example: field.default ?? true }),
  validation: () => ({ validator: "boolean", argument: null }),
  computing: { operand: () => plainOperand("boolean"), result: (_, sql) => sql },
  condition: {
    comparisons: "whole",
    shared: { name: "BooleanCondition", value: { type: "boolean" } },
    type: "BooleanCondition",
  },
  aggregations: () => ["value"],
  sql: () => ({ type: "boolean", check: null }),
  counted: () => values,
  keyBytes: () => maxPlainKeyBytes,
  inRow: () => ({ bytes: 1, alignment: 1 }),
  words: () => "a boolean",
  textForm: () => ({
    family: "boolean",
    pattern: "(true|false)",
    texts: values,
    maxLength: 5,
    write: (value) => `${value}::text`,
    read: reader("boolean", "(true|false)"),
  }),
};

/** The order in which the runtime expects the counts. */
const values = ["true", "false"];
