import { z } from "zod";
import type { BooleanField } from "../model/model.js";
import { plainKeyBytes } from "./key.js";
import type { Kind } from "./kind.js";
import { commonOptions, flag } from "./options.js";

const options = z.strictObject({ ...commonOptions, default: flag.optional() });

type BooleanOptions = z.output<typeof options>;

/** True or false; an optional one may be empty as well. */
export const boolean: Kind<BooleanField, BooleanOptions> = {
  name: "boolean",
  example: "{ type: boolean, default: false }",
  options,
  check: () => [],
  field: (common, written) => ({ ...common, kind: "boolean", default: written.default ?? null }),
  typescript: () => ({ name: "boolean" }),
  validation: () => ({ validator: "boolean", argument: null }),
  sql: () => ({ type: "boolean", check: null }),
  keyBytes: () => plainKeyBytes,
  inRow: () => ({ bytes: 1, alignment: 1 }),
};
