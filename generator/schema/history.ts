import type { Problem } from "../problem.js";
import { applyChange, type Change } from "./change.js";
import { type MigrationRecord, recordPath, sqlPath } from "./record.js";
import type { Schema } from "./schema.js";

export const emptySchema: Schema = { tables: [] };

export interface Replayed {
  readonly schema: Schema;
  /** Migrations that cannot follow those before them. */
  readonly problems: readonly Problem[];
}

/** The schema that migrations lead to, in that order. */
export function replay(records: readonly MigrationRecord[]): Replayed {
  const creators = new Map<string, string>();
  const problems: Problem[] = [];
  let schema = emptySchema;
  for (const { name, changes } of records) {
    for (const change of changes) {
      const table = tableOf(change);
      const creator = creators.get(table);
      if (change.kind === "createTable" && creator !== undefined) {
        problems.push(createdTwice(name, table, creator));
      } else if (change.kind !== "createTable" && creator === undefined) {
        problems.push(unknownTable(name, table));
      } else {
        schema = applyChange(schema, change);
        creators.set(table, creator ?? name);
      }
    }
  }
  return { schema, problems };
}

function tableOf(change: Change): string {
  return change.kind === "createTable" ? change.table.name : change.table;
}

/** Two branches that were merged may each have brought the table. */
function createdTwice(name: string, table: string, creator: string): Problem {
  return {
    file: recordPath(name),
    line: 1,
    column: 1,
    message: `This migration creates the table "${table}", which ${recordPath(creator)} creates already`,
    hint: `keep one of the two: delete ${sqlPath(name)} and ${recordPath(name)}, and run generate again`,
  };
}

function unknownTable(name: string, table: string): Problem {
  return {
    file: recordPath(name),
    line: 1,
    column: 1,
    message: `This migration changes the table "${table}", which no migration before it creates`,
    hint: `restore the migration that creates it from version control, or delete ${sqlPath(name)} and ${recordPath(name)}, and run generate again`,
  };
}
