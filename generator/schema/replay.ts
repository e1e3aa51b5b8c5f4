import type { Problem } from "../problem.js";
import { applyChange } from "./change.js";
import { contradiction, type Earlier } from "./contradiction.js";
import type { History } from "./history.js";
import { downPath, recordPath, sqlPath } from "./migration-paths.js";
import type { MigrationRecord } from "./record.js";
import type { Schema } from "./schema.js";

export const emptySchema: Schema = { tables: [] };

export interface Replayed {
  readonly schema: Schema;
  /** Why that cannot be relied on; none when it can, as far as there are records. */
  readonly problems: readonly Problem[];
}

/**
 * The schema that the recorded migrations lead to. That one cannot follow those before it may come of a
 * file that is missing or cannot be read, and so is told only where there is none.
 */
export function replay({ records, problems }: History): Replayed {
  const { schema, problems: misfits } = applied(records);
  return { schema, problems: problems.length > 0 ? problems : misfits };
}

function applied(records: readonly MigrationRecord[]): Replayed {
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
