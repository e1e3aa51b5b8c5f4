import type { Problem } from "../../runtime/values/problem.js";
import { applyChange } from "../../runtime/values/schema/change.js";
import type { Change } from "../../runtime/values/schema/change-kinds.js";
import { type History, missingRecord } from "../../runtime/values/schema/history/history.js";
import type { Schema } from "../../runtime/values/schema/schema.js";
import type { EmittedFile } from "../emit/file.js";
import { emitMigration, emitSnapshot, type Migration } from "../emit/migration.js";
import type { CurrentFiles } from "../output/current.js";
import { migrationName } from "../schema/changes/migration-name.js";
import type { Renames } from "../schema/changes/renames/renames.js";
import { breakingStatements } from "../schema/sql/breaking-statements.js";
import { migrationSteps } from "../schema/sql/steps.js";
import { wayBack } from "../schema/sql/way-back.js";

/** The files and problems of the next migration. */
export interface NextMigration {
  /** A problem for each migration whose SQL was generated but whose record is missing. */
  readonly problems: readonly Problem[];
  /** Null if the schema is unchanged. */
  readonly name: string | null;
  /** The statements that break servers built before the migration. */
  readonly breaking: readonly string[];
  /** The migration, if any, and the snapshot after it. */
  readonly files: readonly EmittedFile[];
}

interface MigrationRequest {
  readonly history: History;
  /** The schema after all existing migrations. */
  readonly before: Schema;
  readonly changes: readonly Change[];
  readonly renames: Renames;
  /** The words of the migration's name; null for a summary of the changes. */
  readonly words: string | null;
}

/** Creates the migration for the changes, with the next number. */
export function nextMigration({
  history,
  before,
  changes,
  renames,
  words,
}: MigrationRequest): NextMigration {
  const unnamed: Unnamed = {
    writer: "generate",
    changes,
    steps: migrationSteps(before, changes),
    breaking: breakingStatements(before, changes),
    wayBack: wayBack(before, { changes, renames }),
  };
  const unfinished = unfinishedName(history, unnamed);
  const problems = unfinished === null ? history.unrecorded.map(missingRecord) : [];
  const { breaking } = unnamed;
  if (changes.length === 0)
    return { problems, name: null, breaking, files: [emitSnapshot(before)] };
  const name = unfinished ?? migrationName(history.names, changes, words);
  const snapshot = emitSnapshot(changes.reduce(applyChange, before));
  return { problems, name, breaking, files: [...emitMigration({ ...unnamed, name }), snapshot] };
}

type Unnamed = Omit<Migration, "name">;

/**
 * Returns the name of a migration with exactly these changes, if an interrupted run wrote its SQL but not its record.
 */
function unfinishedName({ unrecorded }: History, unnamed: Unnamed): string | null {
  const [migration, ...others] = unrecorded;
  if (migration === undefined || others.length > 0) return null;
  const [sql] = emitMigration({ ...unnamed, name: migration.name });
  return sql?.text === migration.sql ? migration.name : null;
}

/** A remark if the snapshot was edited or is outdated after a merge; it is rewritten from the records. */
export function snapshotRemarks(before: Schema, current: CurrentFiles): readonly string[] {
  const { path, text } = emitSnapshot(before);
  return (current.get(path) ?? text) === text
    ? []
    : [`${path} did not match the migrations, and was rewritten`];
}
