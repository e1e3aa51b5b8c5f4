import { type History, halfUndone, pendingOf, readHistory } from "./compare.js";
import { withConnection } from "./connect.js";
import { type MigrationFile, type MigrationName, readMigrations, readWayBack } from "./files.js";
import { refuseMalformed } from "./plan.js";
import type { Direction } from "./run.js";
import { readScript } from "./script.js";
import type { MigrationTarget } from "./under-lock.js";

/** How far a file is that was begun and not finished. */
export interface HalfDone {
  /** `down` where it was being undone. */
  readonly direction: Direction;
  readonly done: number;
  readonly steps: number;
}

/** What is still to be applied. */
export interface PendingMigration extends MigrationName {
  readonly halfDone?: HalfDone;
  /** In a dry run: what its file holds. */
  readonly sql?: string;
}

export interface MigrationResult {
  /** By this run for `migrate`, ever for `migrationStatus`; in the order in which it was done. */
  readonly applied: readonly MigrationName[];
  readonly pending: readonly PendingMigration[];
}

/**
 * What was applied and what is pending; changes nothing. A migration that is half undone is pending.
 *
 * @throws {MigrationError} as `migrate`.
 */
export async function migrationStatus(target: MigrationTarget): Promise<MigrationResult> {
  const { applied, pending } = await compareWith(target);
  return { applied, pending: pending.map(({ file: _, ...rest }) => rest) };
}

/**
 * As `migrationStatus`, with the SQL of what is pending.
 *
 * @throws {MigrationError} also when a pending file has a mistake of form.
 */
export async function dryRun(target: MigrationTarget): Promise<MigrationResult> {
  const { pending } = await compareWith(target);
  refuseMalformed(pending.map(({ file }) => file));
  return { applied: [], pending: pending.map(({ file, ...rest }) => ({ ...rest, sql: file.sql })) };
}

interface Pending extends PendingMigration {
  readonly file: MigrationFile;
}

async function compareWith(
  target: MigrationTarget,
): Promise<{ readonly applied: readonly MigrationName[]; readonly pending: readonly Pending[] }> {
  const files = await readMigrations(target.directory);
  return withConnection(target, async (db) => {
    const history = await readHistory(db);
    const pending = pendingOf(files, history);
    const undone = halfUndone(history);
    const wayBack = undone && (await readWayBack(target.directory, undone.name));
    return {
      applied: history.ledger.filter((row) => row !== undone).map(nameOf),
      pending: [
        ...(wayBack ? [describe(wayBack, "down", history)] : []),
        ...pending.map((file) => describe(file, "up", history)),
      ],
    };
  });
}

function describe(file: MigrationFile, direction: Direction, { steps }: History): Pending {
  const begun = steps.filter(
    (row) => row.source === file.source && row.name === file.name && row.direction === direction,
  );
  if (begun.length === 0) return { ...nameOf(file), file };
  const halfDone = {
    direction,
    done: begun.filter(({ done }) => done).length,
    steps: readScript(file.sql).script.steps.length,
  };
  return { ...nameOf(file), file, halfDone };
}

/** What a migration is known by, and nothing else of it. */
export function nameOf({ source, name }: MigrationName): MigrationName {
  return { source, name };
}
