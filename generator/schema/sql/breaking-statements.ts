import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import type { Schema } from "../../../runtime/values/schema/schema.js";
import { type BreakingChange, breakingChanges } from "../changes/breaking.js";
import { migrationSteps } from "./steps.js";

/** Returns the statements that break servers built before the changes, one per line. */
export function breakingStatements(before: Schema, changes: readonly Change[]): readonly string[] {
  const statements = breakingChanges(before, changes).map(statementOf);
  return [...new Set(statements)];
}

/**
 * Returns the statement that breaks older servers: the drop of a replaced column, the check that rejects a renamed
 * value, or else the change's first statement.
 */
function statementOf({ before, change }: BreakingChange): string {
  const steps = migrationSteps(before, [change]);
  const statements = steps.flatMap((step) => {
    if (step.kind === "transaction") return step.statements;
    return step.kind === "tally" ? [step.statement] : [];
  });
  const replaced =
    change.kind === "replaceColumn"
      ? statements.find((statement) => statement.includes(" drop column "))
      : change.kind === "renameValue"
        ? statements.findLast((statement) => statement.includes("add constraint"))
        : undefined;
  const line = (replaced ?? statements[0] ?? "").replace(/\s+/g, " ");
  return line.length > longest ? `${line.slice(0, longest)} …` : line;
}

/** Maximum number of characters, enough to show the table and column; an enum may have many values. */
const longest = 200;
