import {
  downPath,
  recordPath,
  sqlPath,
} from "../../runtime/values/schema/history/migration-paths.js";
import { type MigrationRecord, recordText } from "../../runtime/values/schema/history/record.js";
import { snapshotPath, snapshotText } from "../../runtime/values/schema/history/snapshot.js";
import type { Schema } from "../../runtime/values/schema/schema.js";
import { type Step, stepTexts } from "../schema/sql/step.js";
import type { WayBack } from "../schema/sql/way-back.js";
import { render } from "../text/templates.js";
import type { EmittedFile } from "./file.js";

export interface Migration extends MigrationRecord {
  /** The command that wrote the migration. */
  readonly writer: "adopt" | "generate";
  readonly steps: readonly Step[];
  /** The statements that break servers built before the migration. */
  readonly breaking: readonly string[];
  readonly wayBack: WayBack;
}

/** Emits a migration's SQL, its reverse, and the changes from which the snapshot can be rebuilt. */
export function emitMigration(migration: Migration): EmittedFile[] {
  const { name, writer, changes, steps, breaking, wayBack } = migration;
  const isWay = "steps" in wayBack;
  const text = render("migrations/migration.sql", {
    ...{ name, writer },
    wayBack: isWay
      ? `Way back: ${downPath(name).replace("migrations/", "")}`
      : `No way back: ${wayBack.lost}`,
    breaking,
    statements: stepTexts(steps),
  });
  const record = { path: recordPath(name), text: recordText(changes) };
  if (!isWay) return [{ path: sqlPath(name), text }, record];
  const down = render("migrations/down.sql", {
    name,
    writer,
    statements: stepTexts(wayBack.steps),
  });
  return [{ path: sqlPath(name), text }, { path: downPath(name), text: down }, record];
}

/** Emits the schema after the latest migration. */
export function emitSnapshot(schema: Schema): EmittedFile {
  return { path: snapshotPath, text: snapshotText(schema) };
}
