import type { Problem } from "../problem.js";
import { applyChange } from "./change.js";
import { contradiction, type Earlier } from "./contradiction.js";
import { downPath, type MigrationRecord, recordPath, sqlPath } from "./record.js";
import type { Schema } from "./schema.js";

export const emptySchema: Schema = { tables: [] };

export interface Replayed {
  readonly schema: Schema;
  /** Migrations that cannot follow those before them. */
  readonly problems: readonly Problem[];
}

/** The schema that migrations lead to, in that order. */
export function replay(records: readonly MigrationRecord[]): Replayed {
  const earlier: Earlier[] = [];
  const problems: Problem[] = [];
  let schema = emptySchema;
  for (const { name, changes } of records) {
    // What follows from the first contradiction of a file is none of its own.
    let isSound = true;
    for (const change of changes) {
      const why = contradiction(schema, change, earlier);
      if (why === null) schema = applyChange(schema, change);
      else if (isSound) problems.push(contradictionProblem(name, why));
      isSound &&= why === null;
      earlier.push({ name, change });
    }
  }
  return { schema, problems };
}

/** Two branches that were merged may each have changed the same thing. */
function contradictionProblem(name: string, why: string): Problem {
  return {
    file: recordPath(name),
    line: 1,
    column: 1,
    message: `This migration ${why}`,
    hint: `if two branches were merged, keep one of the two: delete ${sqlPath(name)}, ${recordPath(name)} and ${downPath(name)}, and run generate again; if a file is missing, restore it from version control`,
  };
}
