import type { Problem } from "../../runtime/values/problem.js";
import { type TimeName, timeNames, usualTimes } from "../../runtime/values/schema/record-times.js";
import type { Schema, Table } from "../../runtime/values/schema/schema.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import type { RecordTimes } from "../model/times.js";
import type { Renames } from "../schema/changes/renames/renames.js";
import { formerTable } from "./former-table.js";

/** Returns a problem for each table whose `createdAt` or `updatedAt` would move to another column, or be dropped. */
export function changedTimes(
  descriptors: readonly Descriptor[],
  before: Schema,
  renames: Renames,
): readonly Problem[] {
  return descriptors.flatMap(({ name, source, times }) => {
    const former = formerTable(before, renames, name);
    if (former === undefined) return [];
    const stored = timesOf(former);
    return timeNames
      .filter((time) => times[time] !== stored[time])
      .map((time) => problemOf(source, changed(time, stored[time])));
  });
}

function changed(time: TimeName, column: string | null) {
  const was = column ?? "none";
  const isUsual = column === usualTimes[time];
  return {
    path: [time],
    at: "value",
    message: `"${time}" cannot change: it was ${was} when the table was created`,
    hint: isUsual ? `remove it, or write ${time}: ${was}` : `write ${time}: ${was}`,
  } as const;
}

/** The columns with the times of a table's rows. */
export function timesOf({ columns }: Pick<Table, "columns">): RecordTimes {
  const own = columns.filter(({ field }) => field === null);
  const columnOf = (time: TimeName) =>
    own.find((column) => column.time === time || column.name === usualTimes[time])?.name ?? null;
  return { createdAt: columnOf("createdAt"), updatedAt: columnOf("updatedAt") };
}
