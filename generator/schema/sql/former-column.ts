import { sqlIdentifier } from "../../text/sql.js";
import type { Origins } from "../changes/origins.js";
import type { SqlColumn } from "./check-queries.js";
import type { Step } from "./step.js";

/** Something to be counted before a migration. */
export type CheckStep = Extract<Step, { kind: "check" }>;

/** Where a column's values are before a migration, and what its rows are called. */
export interface FormerColumn extends SqlColumn {
  readonly rows: string;
}

/** The column where the values were before; null where there is nothing to count yet. */
export function formerColumn(
  { table, column }: { readonly table: string; readonly column: string },
  origins: Origins,
): FormerColumn | null {
  const formerTable = origins.table(table);
  const former = origins.column(table, column);
  if (formerTable === null || former === null) return null;
  return {
    from: sqlIdentifier(formerTable),
    value: sqlIdentifier(former),
    rows: `rows of ${formerTable}`,
  };
}

/** Refuses the migration where the query gives anything; `about` reads after the number. */
export function check(about: string, query: string): CheckStep {
  return { kind: "check", about, query: `${query};` };
}
