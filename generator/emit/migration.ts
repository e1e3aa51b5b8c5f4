import type { Change } from "../schema/change.js";
import { changeSql } from "../schema/change-sql.js";
import { type MigrationRecord, recordPath, sqlPath } from "../schema/record.js";
import type { Schema } from "../schema/schema.js";
import { render } from "../text/templates.js";
import type { EmittedFile } from "./file.js";

/** A migration's SQL, and beside it the changes from which the snapshot can be made again. */
export function emitMigration({ name, changes }: MigrationRecord): EmittedFile[] {
  return [
    {
      path: sqlPath(name),
      text: render("migrations/migration.sql", { name, statements: changes.map(changeSql) }),
    },
    { path: recordPath(name), text: json({ changes }) },
  ];
}

/** The schema that the newest migration leads to. */
export function emitSnapshot(schema: Schema): EmittedFile {
  return { path: "migrations/schema.json", text: json(schema) };
}

function json(value: Schema | { readonly changes: readonly Change[] }): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
