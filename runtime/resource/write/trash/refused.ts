import type { Queryable } from "../../../db/index.js";
import { type BodyIssue, refuse } from "../../../errors/index.js";
import { cellWords } from "../../../values/files/cell-words.js";
import { valueRequired } from "../../../values/rules.js";
import { keysOfColumns } from "../../table/column-keys.js";
import { kindOf } from "../../table/kinds/kinds.js";
import { columnOf, type Table } from "../../table/table.js";
import { constraintFields } from "../refused/by-table.js";
import { tableNamed } from "./tables.js";

/** The result of `service.restore_trash` for a row that cannot be stored. */
export interface Refused {
  /** The unquoted name of the row's table. */
  readonly table: string;
  readonly id: string;
  readonly kind: "unfit" | "missing" | "unique" | "empty" | "link" | "check";
  /** The columns, for the kinds `unfit` and `missing`. */
  readonly columns?: readonly string[];
  /** The constraint, or the column that must not be null. */
  readonly name?: string | null;
}

/** 409 if another record has the same id or unique value; otherwise 422 at the fields that are no longer valid. */
export async function refuseRestore(
  db: Queryable,
  table: Table<never>,
  { table: name, id, kind, columns, name: constraint }: Refused,
): Promise<never> {
  const own = tableNamed(table, name);
  const record = { resource: own?.resource ?? name, id };
  if (own === null) return refuse("REFUSED", { error: notStored, record });
  const keyOf = keysOfColumns(own.columns);
  const fields =
    columns?.flatMap((column) => keyOf(column) ?? []) ??
    (await constraintFields(db, own, { kind, name: constraint ?? "" }));
  if (kind === "unique") {
    const [field] = fields;
    const error = field === "id" ? "Another record has this id" : "The value has been taken";
    return refuse("TAKEN", { error, record, ...(field !== undefined && { field }) });
  }
  const issues = fields.map((path): BodyIssue => ({ path, message: messageOf(own, path, kind) }));
  return refuse("INVALID", { error: notStored, record, issues });
}

const notStored = "The record is no longer valid for its resource";

function messageOf(table: Table<never>, key: string, kind: Refused["kind"]): string {
  const column = columnOf(table, key);
  if (kind === "empty") return valueRequired;
  if (kind === "missing" || kind === "link") {
    return column === null ? cellWords.noRecord : kindOf(column).missing;
  }
  return "The value no longer fits";
}
