import {
  foreignKeyViolation,
  isOutOfRange,
  isTooLong,
  isTooWide,
  type Queryable,
  uniqueViolation,
} from "../../../db/index.js";
import { type BodyIssue, refuse } from "../../../errors/index.js";
import { cellWords } from "../../../values/files/cell-words.js";
import { idOfTable } from "../../table/column-keys.js";
import { findConflicts, type Values } from "../../table/conflicts.js";
import { columnOf, type Table } from "../../table/table.js";
import { firstFieldOf, rulesOf } from "../../table/uniques.js";
import { type Change, type Create, storedIdOf } from "../operation.js";
import { listIn } from "./by-table.js";
import { refuseIfDropped } from "./dropped.js";
import { tableOf } from "./in-use.js";

/** Returns all conflicts that prevent this write from storing the values; see `findConflicts`. */
export function conflictsOf(
  db: Queryable,
  write: Create | Change,
  values: Values,
): Promise<BodyIssue[]> {
  const id = storedIdOf(write);
  return findConflicts(db, { ...write, id, ...(isGiven(write) && { givenId: write.id }) }, values);
}

/** Whether the caller chose the id of a new record. */
function isGiven({ kind, table }: Create | Change): boolean {
  return kind === "create" && idOfTable(table).made === "caller";
}

/**
 * Refuses a write that stored nothing: 422 with all conflicts; 409 if the value is no longer taken, or an app trigger
 * dropped the record.
 */
export async function refuseTaken(
  db: Queryable,
  write: Create | Change,
  values: Values,
): Promise<never> {
  const { table, kind } = write;
  const issues = await conflictsOf(db, write, values);
  if (issues.length > 0) return refuse("INVALID", { issues });
  await refuseIfDropped(db, table, kind === "create" ? "insert" : "update");
  // The other record has been deleted since.
  const keys = Object.keys(values);
  const field =
    keys.find((key) => columnOf(table, key)?.unique !== undefined) ??
    rulesOf(table, keys).map(firstFieldOf)[0];
  return refuse("TAKEN", field === undefined ? {} : { field });
}

/**
 * Translates the refusal of a constraint from the descriptors: 409 for a unique value taken after the statement began.
 * It is 422 with all conflicts for a link to a missing record, and 422 for values too large for one row. Returns
 * normally for any other error.
 */
export async function refuseConflict(
  error: unknown,
  db: Queryable,
  write: Create | Change,
): Promise<void> {
  const values: Values = { ...write.checked.values };
  if (isOutOfRange(error)) return refuseLinks(db, write, values);
  if (isTooLong(error) && isGiven(write)) {
    return refuse("INVALID", { issues: [{ path: "id", message: "Too long for its column" }] });
  }
  if (isTooWide(error)) return refuse("INVALID", { issues: [tooWide(values)] });
  const index = uniqueViolation(error);
  const constraint = index ?? foreignKeyViolation(error)?.constraint ?? null;
  const field = constraint === null ? undefined : fieldOf(write.table, constraint);
  if (field === undefined) return refuseListed(error, db, write);
  // Conflicts of computed fields are not looked up before a write.
  if (columnOf(write.table, field)?.computed !== undefined) {
    return refuse("INVALID", { issues: [{ path: field, message: cellWords.taken }] });
  }
  const issues = index === null ? await conflictsOf(db, write, values) : [];
  return issues.length > 0 ? refuse("INVALID", { issues }) : refuse("TAKEN", { field });
}

/** Refuses a link to an id beyond the range of its column's type, since no record can have it. */
async function refuseLinks(db: Queryable, write: Create | Change, values: Values): Promise<void> {
  const issues = await conflictsOf(db, write, values);
  if (issues.length > 0) refuse("INVALID", { issues });
}

/** Refuses a list in another program's join table if one of its targets was deleted after the statement began. */
async function refuseListed(error: unknown, db: Queryable, write: Create | Change): Promise<void> {
  const link = foreignKeyViolation(error);
  const isOfList = link !== null && listIn(write.table, tableOf(link)) !== null;
  if (isOfList) await refuseLinks(db, write, { ...write.checked.values });
}

/** An issue at the longest value, although the record as a whole is too large. */
function tooWide(values: Values): BodyIssue {
  const lengths = Object.entries(values).map(
    ([key, value]) => [key, String(value ?? "").length] as const,
  );
  const [path = ""] = lengths.toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return { path, message: "The values of this record are too long to be stored together" };
}

/** The field of a constraint; the first one if it has several. */
function fieldOf(table: Table<never>, constraint: string): string | undefined {
  const found = Object.entries(table.columns).find(
    ([, { unique, link, entries }]) =>
      unique?.index === constraint ||
      link?.constraint === constraint ||
      entries?.constraint === constraint,
  );
  const rule = table.uniques?.find(({ index }) => index === constraint);
  return found?.[0] ?? (rule === undefined ? undefined : firstFieldOf(rule));
}
