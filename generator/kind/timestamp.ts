import { z } from "zod";
import { between } from "../../runtime/values/schema/check.js";
import { readTimestamp } from "../../runtime/values/time.js";
import { databaseTimezone } from "../../runtime/values/timezone/name.js";
import { reader } from "./column/conversion.js";
import { maxPlainKeyBytes } from "./column/key.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { commonOptions, unicode, unique } from "./option/options.js";
import { timezoneName } from "./option/timezone.js";

export interface TimestampField extends CommonField {
  readonly kind: "timestamp";
  readonly unique: boolean;
  /** Normalized: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly default: string | null;
  /** PostgreSQL's name of the time zone for a column without one; null for `timestamptz`. */
  readonly timezone: string | null;
}

/** The SQL type of timestamps, including `createdAt` and `updatedAt`. */
export const timestampType = "timestamptz(3)";

/** Returns SQL that formats a timestamp as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function isoTime(column: string): string {
  return `service.iso_time(${column})`;
}

const options = z
  .strictObject({
    ...commonOptions,
    unique,
    default: unicode
      .refine(
        (text) => readTimestamp(text) !== null,
        "must be a time with Z or an offset: YYYY-MM-DDTHH:mm:ssZ",
      )
      .meta({
        hint: "write a fixed point in time, such as 2026-01-31T09:30:00Z",
        format: "date-time",
      })
      .optional()
      .describe("Used when a record is created without the field."),
    timezone: timezoneName
      .optional()
      .describe(
        "For a timestamp column (without time zone) of an adopted table: the zone of its times.",
      ),
  })
  .describe("A point in time, to the millisecond: 2024-05-01T12:00:00Z.");

type TimestampOptions = z.output<typeof options>;

/** A point in time, with a precision of one millisecond. */
export const timestamp: Kind<TimestampField, TimestampOptions> = {
  ...kindDefaults,
  name: "timestamp",
  otherNames: { datetime: "{ type: timestamp }" },
  example: "{ type: timestamp }",
  options,
  field(common, written) {
    return {
      ...common,
      kind: "timestamp",
      unique: written.unique ?? false,
      default: written.default === undefined ? null : readTimestamp(written.default),
      timezone: written.timezone === undefined ? null : databaseTimezone(written.timezone),
    };
  },
  typescript: () => ({ name: "string" }),
  schema: (field) => ({
    shown: { type: "string", format: "date-time" },
    example: field.default ?? "2026-01-31T09:30:00.000Z",
  }),
  validation: ({ timezone }) => ({
    validator: "timestamp",
    argument: timezone === null ? null : { timezone },
  }),
  condition: {
    comparisons: "order",
    shared: { name: "TimestampCondition", value: { type: "string", format: "date-time" } },
    type: "TimeCondition",
  },
  aggregations: () => ["extreme", "period"],
  sql: () => ({
    type: timestampType,
    check: between("'0001-01-01T00:00:00.000Z'", "'9999-12-31T23:59:59.999Z'"),
  }),
  runtimeColumn: ({ kind }, stored) => ({ kind: stored === undefined ? kind : "fineTime" }),
  keyBytes: () => maxPlainKeyBytes,
  inRow: () => ({ bytes: 8, alignment: 8 }),
  words: () => "a timestamp",
  textForm: () => ({
    family: "timestamp",
    pattern: moment,
    texts: null,
    maxLength: 24,
    write: isoTime,
    read: reader(timestampType, moment),
  }),
  /** A date becomes midnight of that day in UTC. */
  convert({ type }) {
    if (type !== "date") return null;
    return { value: (day) => `(${day} + time '00:00') at time zone 'UTC'`, readable: null };
  },
};

const moment =
  "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?(Z|[+-][0-9]{2}:[0-9]{2})";
