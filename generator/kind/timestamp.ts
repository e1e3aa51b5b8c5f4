import { z } from "zod";
import { readTimestamp } from "../../runtime/values/time.js";
import type { TimestampField } from "../model/model.js";
import { between } from "./check.js";
import { plainKeyBytes } from "./key.js";
import type { Kind } from "./kind.js";
import { commonOptions, flag, unicode } from "./options.js";

const options = z.strictObject({
  ...commonOptions,
  unique: flag.optional(),
  default: unicode
    .refine(
      (text) => readTimestamp(text) !== null,
      "must be a time with Z or an offset: YYYY-MM-DDTHH:mm:ssZ",
    )
    .describe("write one fixed moment, such as 2026-01-31T09:30:00Z")
    .optional(),
});

type TimestampOptions = z.output<typeof options>;

/** A moment, to the millisecond. */
export const timestamp: Kind<TimestampField, TimestampOptions> = {
  name: "timestamp",
  example: "{ type: timestamp }",
  options,
  check: () => [],
  field(common, written) {
    return {
      ...common,
      kind: "timestamp",
      unique: written.unique ?? false,
      default: written.default === undefined ? null : readTimestamp(written.default),
    };
  },
  typescript: () => ({ name: "string" }),
  validation: () => ({ validator: "timestamp", argument: null }),
  sql: () => ({
    type: "timestamptz(3)",
    check: between("'0001-01-01T00:00:00.000Z'", "'9999-12-31T23:59:59.999Z'"),
  }),
  keyBytes: () => plainKeyBytes,
  inRow: () => ({ bytes: 8, alignment: 8 }),
};
