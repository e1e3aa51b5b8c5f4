import { z } from "zod";
import {
  type TimeName,
  timeNames,
  usualTimes,
} from "../../../runtime/values/schema/record-times.js";
import { columnName } from "../../kind/option/stored-name.js";
import type { RecordTimes } from "../../model/times.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

/** The keyword for a resource without this timestamp. */
const none = "none";

const column = columnName().unwrap();

/** The possible values of `createdAt` and `updatedAt`, for the schema of descriptors. */
export const timeShape = z.union([column, z.strictObject({ column })]);

/** Reads `createdAt` and `updatedAt`: the name of a column, alone or in a map, or `none`. */
export function readTimes(written: Readonly<Record<string, unknown>>): {
  readonly times: RecordTimes;
  readonly issues: readonly DescriptorIssue[];
} {
  const read = timeNames.map((name) => readTime(name, written[name]));
  const [createdAt, updatedAt] = read.map(({ time }) => time);
  const issues = read.flatMap(({ issue }) => issue ?? []);
  const times = { createdAt: createdAt ?? null, updatedAt: updatedAt ?? null };
  if (createdAt == null || createdAt !== updatedAt || issues.length > 0) return { times, issues };
  const message = `the column of "updatedAt" is ${createdAt}, like that of "createdAt"`;
  const hint = "name another column, or write none for one of the two";
  return { times, issues: [{ path: ["updatedAt"], at: "value", message, hint }] };
}

interface ReadTime {
  readonly time: string | null;
  readonly issue: DescriptorIssue | null;
}

function readTime(name: TimeName, written: unknown): ReadTime {
  if (written === undefined) return { time: usualTimes[name], issue: null };
  if (written === none) return { time: null, issue: null };
  const wrong = (path: readonly string[], message: string, hint: string): ReadTime => ({
    time: usualTimes[name],
    issue: { path: [name, ...path], at: "value", message: `"${name}" ${message}`, hint },
  });
  const example = `for example ${name}: ${name === "createdAt" ? "created_on" : "changed_on"}`;
  if (written === null) return wrong([], "is empty", "write a value for it, or remove it");
  if (typeof written !== "string" && !isMap(written)) {
    return wrong([], "must be a column's name, or none", example);
  }
  if (isMap(written)) {
    const other = Object.keys(written).find((key) => key !== "column");
    if (other === "timezone") {
      const hint = "the column must have the type timestamptz; others are not supported yet";
      return wrong([other], `takes no "timezone"`, hint);
    }
    if (other !== undefined) return wrong([other], `has no key "${other}"`, "its key is column");
  }
  const named = isMap(written) ? written.column : written;
  const parsed = column.safeParse(named);
  if (parsed.success) return { time: parsed.data, issue: null };
  const message = parsed.error.issues[0]?.message ?? "must be a column's name";
  return wrong(isMap(written) && "column" in written ? ["column"] : [], message, example);
}
