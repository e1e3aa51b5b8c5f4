import type { FoundColumn, FoundTable } from "../../catalogue/catalogue.js";
import { isLocalTime } from "./types.js";

const created = ["created", "createdat", "createdon", "insertedat"];
const updated = ["updated", "updatedat", "updatedon", "modifiedat", "lastupdate"];

/** The columns with the times of a record's creation and last change; null for none. */
export function timesOf(
  { columns }: FoundTable,
  timezone: string | null,
): {
  readonly createdAt: FoundColumn | null;
  readonly updatedAt: FoundColumn | null;
} {
  const times = columns.filter((column) => isTime(column, timezone));
  return { createdAt: timeIn(times, created), updatedAt: timeIn(times, updated) };
}

function timeIn(times: readonly FoundColumn[], names: readonly string[]): FoundColumn | null {
  const isNamed = ({ name }: FoundColumn) => names.includes(name.toLowerCase().replaceAll("_", ""));
  return times.find(isNamed) ?? null;
}

/** Whether the column holds points in time; local times do if their zone is known. */
function isTime({ type, isGenerated }: FoundColumn, timezone: string | null): boolean {
  if (type.isArray || isGenerated) return false;
  const isMoment = /^timestamp.* with time zone$/.test(type.base);
  return isMoment || (timezone !== null && isLocalTime(type));
}
