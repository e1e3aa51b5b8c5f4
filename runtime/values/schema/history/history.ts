import { mergeMarkers } from "../../merge-markers.js";
import type { Problem } from "../../problem.js";
import { recordPath, sqlPath } from "./migration-paths.js";
import { type MigrationRecord, readRecord } from "./record.js";

/** The migrations in `migrations/`, including handwritten ones. */
export interface History {
  /** Sorted by name. */
  readonly records: readonly MigrationRecord[];
  /** The names of all migrations. Each has a record, SQL, or both. */
  readonly names: readonly string[];
  /** Migrations whose SQL the tool wrote, but whose record is missing. */
  readonly unrecorded: readonly UnrecordedMigration[];
  /** Problems of records that are unreadable or have no SQL. */
  readonly problems: readonly Problem[];
}

interface UnrecordedMigration {
  readonly name: string;
  readonly sql: string;
}

/** Parses the migrations among files, which are given by path relative to the app's folder. */
export function parseHistory(files: ReadonlyMap<string, string>): History {
  const recorded = namesOf(files, /^migrations\/(\d{4,}_[^/]+)\.json$/);
  const written = namesOf(files, /^migrations\/([^/]+)\.sql$/);
  const records: MigrationRecord[] = [];
  const problems: Problem[] = [];
  for (const name of recorded) {
    const text = files.get(recordPath(name)) ?? "";
    const record = readRecord(name, text);
    if (record !== null) records.push(record);
    else problems.push(mergeMarkers(recordPath(name), text) ?? noRecord(name));
  }
  problems.push(...recorded.filter((name) => !files.has(sqlPath(name))).map(missingSql));
  problems.push(...[...files].flatMap(([path, text]) => unmergedSql(path, text)));
  const unrecorded = written
    .filter((name) => !files.has(recordPath(name)))
    .map((name) => ({ name, sql: files.get(sqlPath(name)) ?? "" }))
    .filter(({ sql }) => headerOfTool.test(sql));
  return { records, names: [...new Set([...recorded, ...written])], unrecorded, problems };
}

/** The history of only these migrations. */
export function historyOf(names: ReadonlySet<string>, history: History): History {
  const files = new Set([...names].flatMap((name) => [recordPath(name), sqlPath(name)]));
  return {
    records: history.records.filter(({ name }) => names.has(name)),
    names: history.names.filter((name) => names.has(name)),
    unrecorded: history.unrecorded.filter(({ name }) => names.has(name)),
    problems: history.problems.filter(({ file }) => files.has(file)),
  };
}

function unmergedSql(path: string, text: string): Problem[] {
  const isSql = path.startsWith("migrations/") && path.endsWith(".sql");
  const marks = isSql ? mergeMarkers(path, text) : null;
  return marks === null ? [] : [marks];
}

/** The first line of SQL that the tool wrote. Other SQL is handwritten, and needs no record. */
const headerOfTool = /^-- \S+: written once by `service generate`/;

function namesOf(files: ReadonlyMap<string, string>, pattern: RegExp): string[] {
  return [...files.keys()].flatMap((path) => pattern.exec(path)?.[1] ?? []).toSorted();
}

function noRecord(name: string): Problem {
  return {
    file: recordPath(name),
    line: 1,
    column: 1,
    message: "This is not the record of a migration's changes",
    hint: "restore the file from version control; it is written next to the migration's SQL",
  };
}

function missingSql(name: string): Problem {
  return {
    file: sqlPath(name),
    line: 1,
    column: 1,
    message: `This migration is missing, but its record ${recordPath(name)} exists`,
    hint: "restore it from version control; if it was never applied anywhere, you may delete its record instead",
  };
}

/** The problem of a migration whose record is missing. */
export function missingRecord({ name }: UnrecordedMigration): Problem {
  return {
    file: sqlPath(name),
    line: 1,
    column: 1,
    message: "The record of this migration's changes is missing",
    hint: `restore ${recordPath(name)} from version control; if you wrote this SQL yourself, delete its first line`,
  };
}
