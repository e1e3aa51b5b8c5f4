import { z } from "zod";
import { readTimestamp } from "../../../values/time.js";
import { repeatedIn } from "../../../values/timezone/local.js";
import { type Kind, kindDefaults, reads } from "./kind.js";
import { expecting } from "./value/schema.js";

export const timestampKind: Kind = {
  ...kindDefaults,
  ...reads((text) => {
    const value = readTimestamp(text);
    return value === null ? { problem: "Must be a time as in RFC 3339" } : { value };
  }),
  sqlType: "timestamptz",
  comparisons: "order",
  aggregations: () => ["extreme", "period"],
  time: "moment",
  jsonText: (value) => `to_json(service.iso_time(${value}))::text`,
  shown: (value) => `service.iso_time(${value})`,
};

/**
 * For adopted columns that may have microseconds: writing back the value in milliseconds, as the API returns it, keeps
 * them.
 */
export const fineTimeKind: Kind = {
  ...timestampKind,
  changed: (stored, value) =>
    `case when date_trunc('milliseconds', ${stored}) = ${value} then ${stored} else ${value} end`,
};

const expected = "Must be a time as in RFC 3339: 2026-01-31T12:00:00Z";

export interface TimestampRules {
  /** The time zone of times stored without one. */
  readonly timezone?: string;
}

/**
 * An RFC 3339 time with `Z` or an offset, converted to UTC and truncated to milliseconds. A time that the database
 * would return changed is refused.
 */
export function timestamp({ timezone }: TimestampRules = {}): z.ZodType<string> {
  const isRepeated = timezone === undefined ? () => false : repeatedIn(timezone);
  return z.string(expecting(expected)).transform((value, context) => {
    const read = readTimestamp(value);
    if (read !== null && !isRepeated(Date.parse(read))) return read;
    const message =
      read === null ? expected : `Must not be a time that clocks in ${timezone} show twice`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}
