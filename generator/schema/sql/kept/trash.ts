import { tableOf } from "../../../../runtime/values/schema/change.js";
import type { Change, ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import {
  type Column,
  idColumnOf,
  type Schema,
  type Table,
  tableIn,
} from "../../../../runtime/values/schema/schema.js";
import { sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { elementColumn } from "../../changes/lists.js";
import type { PhasedStep } from "../phase.js";
import { type Step, transaction } from "../step.js";
import { call } from "../table.js";

/** Starts or stops keeping deleted rows. */
export function setTrash(table: Table, { to }: ChangeOf<"setTrash">): string {
  const { id, name } = idColumnOf(table);
  const key = to && id !== undefined ? [name] : [];
  return call(to ? "start_trash" : "stop_trash", ...[table.name, ...key].map(sqlLiteral));
}

/** Renames the table in deleted rows, and in the links to them that the deletion has cleared. */
export function renameTrash(former: string, table: string): readonly string[] {
  return former === table ? [] : [call("rename_trash", ...[former, table].map(sqlLiteral))];
}

/** Renames a column in deleted rows, which store column names. */
export function renameTrashColumn(table: string, former: string, column: string): string {
  return call("rename_trash_column", ...[table, former, column].map(sqlLiteral));
}

/** Converts the column's values in deleted rows, and sets aside values that do not fit, in the phase `finish`. */
export function trashPart(
  schema: Schema,
  change: ChangeOf<"replaceColumn">,
): readonly PhasedStep[] {
  return inTrash(schema, change).map((statement) => ({
    phase: "finish",
    statements: [statement],
  }));
}

/** Applies the change to deleted rows, in a separate transaction that does not lock the table. */
export function trashSteps(schema: Schema, change: Change): readonly Step[] {
  return inTrash(schema, change).map((statement) =>
    transaction(`${tableOf(change)}, trash`, [statement]),
  );
}

/** Returns the statement for deleted rows, if the table has a trash. */
function inTrash(schema: Schema, change: Change): readonly string[] {
  if (tableIn(schema, tableOf(change)).trash === undefined) return [];
  const named = (...names: readonly string[]) => names.map(sqlLiteral);
  switch (change.kind) {
    case "renameValue":
      return [
        call("rename_trash_value", ...named(change.table, change.column, change.value, change.to)),
      ];
    case "replaceColumn": {
      const { table, from, column } = change;
      const isReadable = from.kind === column.kind || isLinkAsBefore(from, column);
      const type = isReadable ? sqlLiteral(plainType(column.type)) : "null";
      return [call("change_trash_column", ...named(table, column.name), type)];
    }
    case "dropColumn":
      return [call("drop_trash_column", ...named(change.table, change.column))];
    case "dropTable":
      return [call("forget_trash", ...named(change.table))];
    default:
      return [];
  }
}

/** Whether a link becomes a list of links, or vice versa. */
function isLinkAsBefore(from: Column, to: Column): boolean {
  return [from, to].every((column) => elementColumn(column).type === "uuid");
}

/** Returns the type without its collation. */
function plainType(type: string): string {
  return type.replace(/ collate .*$/, "");
}
