import { applyChange, type Change } from "../changes/change.js";
import { diffSchemas } from "../changes/diff.js";
import { type Renames, reverseRenames } from "../changes/renames.js";
import type { Schema } from "../tables/schema.js";
import type { Step } from "./step.js";
import { migrationSteps } from "./steps.js";

/** The steps that undo a migration, or why nothing can. */
export type WayBack = { readonly steps: readonly Step[] } | { readonly lost: string };

/** The way back from the schema after the changes to the one before them. */
export function wayBack(
  before: Schema,
  { changes, renames }: { readonly changes: readonly Change[]; readonly renames: Renames },
): WayBack {
  const lost = changes.flatMap(lostBy);
  if (lost.length > 0) return { lost: `${lost.join(", ")} cannot be restored` };
  const after = changes.reduce(applyChange, before);
  return {
    steps: migrationSteps(
      after,
      diffSchemas(after, before, reverseRenames(renames, before)),
      "down",
    ),
  };
}

/** What cannot be restored: dropped values are lost, converted ones can be converted back. */
function lostBy(change: Change): string[] {
  if (change.kind === "dropTable") return [`the rows of ${change.table}`];
  return change.kind === "dropColumn" ? [`the values of ${change.table}.${change.column}`] : [];
}
