import { emitSnapshot } from "./emit/migration.js";
import { readCurrent } from "./output/current.js";
import type { Problem } from "./problem.js";
import { readHistory } from "./schema/history.js";
import { replay } from "./schema/replay.js";

/** What is wrong with the migrations that lie in an app's folder, before a database is asked. */
export interface MigrationsCheck {
  readonly problems: readonly Problem[];
  /** Whether `schema.json` is there and is not what they lead to. */
  readonly isSnapshotStale: boolean;
}

/**
 * Whether migrations contradict each other in the order of a database, which may have applied one that
 * a merge puts before another only now.
 */
export function checkOrder(root: string, applied: readonly string[]): readonly Problem[] {
  const history = readHistory(readCurrent(root, ["migrations"]));
  const place = (name: string) => (applied.includes(name) ? applied.indexOf(name) : applied.length);
  const records = history.records.toSorted((a, b) => place(a.name) - place(b.name));
  return history.unrecorded.length > 0 ? [] : replay({ ...history, records }).problems;
}

/**
 * Looks for files that are missing or unmerged and for migrations of merged branches that contradict
 * each other. Where records were not deployed with the SQL, there is nothing to go by.
 */
export function checkMigrations(root: string): MigrationsCheck {
  const current = readCurrent(root, ["migrations"]);
  const history = readHistory(current);
  if (history.unrecorded.length > 0) return { problems: history.problems, isSnapshotStale: false };
  const { schema, problems } = replay(history);
  const { path, text } = emitSnapshot(schema);
  const isStale = (current.get(path) ?? text) !== text;
  return { problems, isSnapshotStale: isStale && history.problems.length === 0 };
}
