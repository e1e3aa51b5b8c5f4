import { z } from "zod";
import { type TimeName, usualTimes } from "../../../runtime/values/schema/record-times.js";
import { databaseTimezone } from "../../../runtime/values/timezone/name.js";
import { columnName } from "../../kind/option/stored-name.js";
import { timezoneName } from "../../kind/option/timezone.js";
import type { RecordTimes, RecordZones } from "../../model/times.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

/** The keyword for a resource without this time. */
const none = "none";

const column = columnName().unwrap();

/** Schema of the values of `createdAt` and `updatedAt` in descriptors. */
export const timeShape = z.union([
  column,
  z.strictObject({ column, timezone: timezoneName.optional() }),
]);

interface ReadTimes {
  readonly times: RecordTimes;
  /** The time zones of times that are stored without one. */
  readonly zones: RecordZones;
  readonly issues: readonly DescriptorIssue[];
}

/** Reads `createdAt` and `updatedAt`: the name of a column, alone or in a map with its time zone, or `none`. */
export function readTimes(written: Readonly<Record<string, unknown>>): ReadTimes {
  const created = readTime("createdAt", written.createdAt);
  const updated = readTime("updatedAt", written.updatedAt);
  const [createdAt, updatedAt] = [created.time, updated.time];
  const issues = [created, updated].flatMap(({ issue }) => issue ?? []);
  const times = { createdAt, updatedAt };
  const zones = { createdAt: created.timezone, updatedAt: updated.timezone };
  const read = { times, zones, issues };
  if (createdAt === null || createdAt !== updatedAt || issues.length > 0) return read;
  const message = `"createdAt" and "updatedAt" both have the column ${createdAt}`;
  const hint = "name another column, or write none for one of the two";
  return { ...read, issues: [{ path: ["updatedAt"], at: "value", message, hint }] };
}

interface ReadTime {
  readonly time: string | null;
  readonly timezone: string | null;
  readonly issue: DescriptorIssue | null;
}

function readTime(name: TimeName, written: unknown): ReadTime {
  if (written === undefined) return { time: usualTimes[name], timezone: null, issue: null };
  if (written === none) return { time: null, timezone: null, issue: null };
  const wrong = (path: readonly string[], message: string, hint: string): ReadTime => ({
    time: usualTimes[name],
    timezone: null,
    issue: { path: [name, ...path], at: "value", message: `"${name}" ${message}`, hint },
  });
  const example = `for example ${name}: ${name === "createdAt" ? "created_on" : "changed_on"}`;
  if (written === null) return wrong([], "is empty", "write a value for it, or remove it");
  if (typeof written !== "string" && !isMap(written)) {
    return wrong([], "must be a column's name, or none", example);
  }
  const zone = isMap(written) ? written.timezone : undefined;
  if (isMap(written)) {
    const other = Object.keys(written).find((key) => key !== "column" && key !== "timezone");
    if (other !== undefined) {
      return wrong([other], `has no key "${other}"`, "its keys are column and timezone");
    }
    if (zone !== undefined && !timezoneName.safeParse(zone).success) {
      const hint = "for example timezone: Europe/Oslo";
      return wrong(["timezone"], "needs an IANA time zone", hint);
    }
  }
  const named = isMap(written) ? written.column : written;
  const parsed = column.safeParse(named);
  if (parsed.success) {
    const timezone = typeof zone === "string" ? databaseTimezone(zone) : null;
    return { time: parsed.data, timezone, issue: null };
  }
  const message = parsed.error.issues[0]?.message ?? "must be a column's name";
  return wrong(isMap(written) && "column" in written ? ["column"] : [], message, example);
}
