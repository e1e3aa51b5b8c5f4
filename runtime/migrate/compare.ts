import { type Queryable, sqlState } from "../db/index.js";
import { MigrationError } from "./error.js";
import {
  type MigrationFile,
  type MigrationName,
  nameOf,
  pathOf,
  readWayBack,
  wayBackPath,
} from "./files/files.js";
import { type LedgerRow, readLedger } from "./ledger.js";
import { readSteps, type StepRow } from "./run/progress.js";
import type { Direction } from "./run/run.js";

/** What the database remembers of its migrations. */
export interface History {
  /** Those that are applied, oldest first. One that is half undone is still among them. */
  readonly ledger: readonly LedgerRow[];
  /** The steps of those that were begun and not finished, either way. */
  readonly steps: readonly StepRow[];
}

/**
 * @throws {MigrationError} when the database's role may not read it.
 */
export async function readHistory(db: Queryable): Promise<History> {
  try {
    return { ledger: await readLedger(db), steps: await readSteps(db) };
  } catch (error) {
    if (!(error instanceof Error) || sqlState(error) !== "42501") throw error;
    throw new MigrationError(
      `The ledger of migrations cannot be read: ${error.message}`,
      "the role in DATABASE_URL needs the right to use the schema service and to read its tables",
      { cause: error },
    );
  }
}

/**
 * Refuses files that are not those of this database.
 *
 * @throws {MigrationError} when a file that was applied has changed, or one that was begun is gone.
 */
export function refuseUnfit(files: readonly MigrationFile[], history: History): void {
  refuseGone(files, history);
  refuseChanged(files, history);
}

/**
 * The files that are not wholly applied. One that is half applied comes first; the others in the order
 * of their names, so that one which a merge brought in under an older number is applied too.
 */
export function notApplied(
  files: readonly MigrationFile[],
  { ledger, steps }: History,
): readonly MigrationFile[] {
  const applied = new Set(ledger.map(keyOf));
  const begun = new Set(steps.map(keyOf));
  const pending = files.filter((file) => !applied.has(keyOf(file)));
  const isBegun = (file: MigrationFile) => begun.has(keyOf(file));
  return [...pending.filter(isBegun), ...pending.filter((file) => !isBegun(file))];
}

/** The steps of a file that are done, or half done, where it was begun in that direction. */
export function stepsOf(
  { steps }: Pick<History, "steps">,
  file: MigrationName,
  direction: Direction,
): readonly StepRow[] {
  return steps.filter((row) => keyOf(row) === keyOf(file) && row.direction === direction);
}

/** The migration of the app that is half undone; it stands in the ledger until it is wholly. */
export function halfUndone({ ledger, steps }: History): LedgerRow | null {
  const step = steps.find(({ direction }) => direction === "down");
  return (step && ledger.find((row) => keyOf(row) === keyOf(step))) ?? null;
}

/** What is remembered once that which is half undone is undone wholly. */
export function onceUndone(history: History): History {
  const undone = halfUndone(history);
  if (undone === null) return history;
  const stays = (row: MigrationName) => keyOf(row) !== keyOf(undone);
  return { ledger: history.ledger.filter(stays), steps: history.steps.filter(stays) };
}

/**
 * The file that finishes what is half undone; null where nothing is.
 *
 * @throws {MigrationError} when it is gone.
 */
export async function readUnfinished(
  directory: string,
  history: History,
): Promise<MigrationFile | null> {
  const undone = halfUndone(history);
  if (undone === null) return null;
  const file = await readWayBack(directory, undone.name);
  if (file !== null) return file;
  throw new MigrationError(
    `${pathOf(undone.name)} is half undone, but ${wayBackPath(undone.name)} is gone`,
    "restore the file from version control",
  );
}

/** Whatever is applied or begun and has no file here. */
export function unknownTo(
  files: readonly MigrationFile[],
  { ledger, steps }: History,
): readonly (LedgerRow | StepRow)[] {
  const known = new Set(files.map(keyOf));
  return [...ledger, ...steps].filter((row) => !known.has(keyOf(row)));
}

/** Applied migrations whose files are not what was applied. */
export interface UnfitFiles {
  readonly changed: readonly MigrationName[];
  /** Applied or begun, and without a file. */
  readonly lost: readonly MigrationName[];
  /** Why `migrate` refuses them, a sentence and a hint each. */
  readonly refusals: readonly MigrationError[];
}

/** What `refuseUnfit` refuses, all of it. */
export function unfitFiles(files: readonly MigrationFile[], history: History): UnfitFiles {
  const changedRows = history.ledger.flatMap((row) => changedFile(files, row) ?? []);
  const byName = new Map(unknownTo(files, history).map((row) => [keyOf(row), row]));
  const lost = [...byName.values()];
  const other = otherApp(files, history);
  return {
    changed: changedRows.map(nameOf),
    lost: lost.map(nameOf),
    refusals: [...changedRows.map(changed), ...(other === null ? lost.map(goneRefusal) : [other])],
  };
}

function refuseGone(files: readonly MigrationFile[], history: History): void {
  const [first] = unknownTo(files, history);
  if (first !== undefined) throw otherApp(files, history) ?? goneRefusal(first);
}

/** Of the package's migrations up to 0.4.0, which were replaced by one clean set. */
const firstOfFormerSet = "0001_foundation";

/** Refuses what is applied, or half applied, and has no file. */
export function goneRefusal(row: LedgerRow | StepRow): MigrationError {
  if (row.source === "app") {
    const how = "step" in row ? "begun on" : "applied to";
    return new MigrationError(
      `${pathOf(row.name)} was ${how} this database, but the file is gone`,
      "restore the file from version control, or check that this is the database of this app; if it is lost for good, run: npx service migrate --forget " +
        row.name,
    );
  }
  if (row.name === firstOfFormerSet) {
    return new MigrationError(
      "This database was made by version 0.4.0 of the package or an earlier one, whose migrations are no longer continued",
      "use an empty database; while developing, run: npx service db reset",
    );
  }
  return new MigrationError(
    `This database was migrated by a newer version of the package (it has ${row.name})`,
    "install that version or a later one",
  );
}

/** Where the app has migrations, and none that is applied to the database. */
function otherApp(files: readonly MigrationFile[], history: History): MigrationError | null {
  const isOfApp = ({ source }: MigrationName) => source === "app";
  const applied = history.ledger.filter(isOfApp);
  const unknown = unknownTo(files, { ledger: applied, steps: [] });
  const { length: count } = applied;
  if (!files.some(isOfApp) || count === 0 || unknown.length < count) return null;
  return new MigrationError(
    `This is the database of another app: it has ${count === 1 ? "a migration" : `${count} migrations`}, and no file of ${count === 1 ? "it" : "them"} is in migrations/`,
    "check DATABASE_URL",
  );
}

/**
 * @throws {MigrationError} when a file that was applied has changed.
 */
export function refuseChanged(files: readonly MigrationFile[], { ledger }: History): void {
  for (const row of ledger) {
    const file = changedFile(files, row);
    if (file !== undefined) throw changed(file);
  }
}

/** The file of an applied migration, where it is not the one that was applied. */
function changedFile(files: readonly MigrationFile[], row: LedgerRow): MigrationFile | undefined {
  return files.find((file) => keyOf(file) === keyOf(row) && file.checksum !== row.checksum);
}

function keyOf({ source, name }: MigrationName): string {
  return `${source}/${name}`;
}

function changed(file: MigrationFile): MigrationError {
  if (file.source === "app") {
    return new MigrationError(
      `${file.path} was changed after it had been applied to this database`,
      "undo the change; what is applied can only be changed by a further migration",
    );
  }
  return new MigrationError(
    `${file.path} of the package is not the file that was applied to this database`,
    "install the package again",
  );
}
