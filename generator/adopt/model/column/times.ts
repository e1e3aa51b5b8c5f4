import type { FoundColumn, FoundTable } from "../../catalogue/catalogue.js";

const created = ["created", "createdat", "createdon", "insertedat"];
const updated = ["updated", "updatedat", "updatedon", "modifiedat", "lastupdate"];

/** The columns with the times of a record's creation and last change; null for none. */
export function timesOf({ columns }: FoundTable): {
  readonly createdAt: FoundColumn | null;
  readonly updatedAt: FoundColumn | null;
} {
  return { createdAt: timeIn(columns, created), updatedAt: timeIn(columns, updated) };
}

function timeIn(columns: readonly FoundColumn[], names: readonly string[]): FoundColumn | null {
  const found = columns.find(
    (column) => names.includes(column.name.toLowerCase().replaceAll("_", "")) && isTime(column),
  );
  return found ?? null;
}

function isTime({ type, isGenerated }: FoundColumn): boolean {
  return !type.isArray && !isGenerated && /^timestamp.* with time zone$/.test(type.base);
}
