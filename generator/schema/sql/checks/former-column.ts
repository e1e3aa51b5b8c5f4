import { sqlIdentifier } from "../../../../runtime/values/sql/text.js";
import type { Origins } from "../../changes/origins.js";
import type { Step } from "../step.js";
import { idSql } from "../table.js";
import type { SqlColumn } from "./statements.js";

/** Counts rows that would fail, before a migration. */
export type CheckStep = Extract<Step, { kind: "check" }>;

/** The location of a column's values before a migration, and a name for its rows in messages. */
export interface FormerColumn extends SqlColumn {
  readonly rows: string;
}

/** Returns the column that contains the values before the migration; null if there is none yet. */
export function formerColumn(
  { table, column }: { readonly table: string; readonly column: string },
  origins: Origins,
): FormerColumn | null {
  const formerTable = origins.formerTable(table);
  const former = origins.column(table, column);
  if (formerTable === null || former === null) return null;
  return {
    from: sqlIdentifier(formerTable.name),
    id: idSql(formerTable),
    value: sqlIdentifier(former),
    rows: `rows of ${formerTable.name}`,
  };
}

/**
 * Returns a check that stops the migration if the statement returns rows; in the message, `about` follows their number.
 */
export function check(about: string, statement: string): CheckStep {
  return { kind: "check", about, statement: `${statement};` };
}
