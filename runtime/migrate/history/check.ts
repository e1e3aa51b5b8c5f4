import type { Problem } from "../../values/problem.js";
import { type History, parseHistory } from "../../values/schema/history/history.js";
import { replay } from "../../values/schema/history/replay.js";
import { snapshotPath, snapshotText } from "../../values/schema/history/snapshot.js";
import type { MigrationTexts } from "../files/texts.js";

/** Problems of the migrations in an app's folder. */
export interface MigrationsCheck {
  readonly problems: readonly Problem[];
  /** Whether migrations contradict each other, so that the result depends on which are applied. */
  readonly isContradictory: boolean;
  /** Whether `schema.json` exists and differs from the schema after the migrations. */
  readonly isSnapshotStale: boolean;
}

/**
 * Finds missing or unmerged files, and contradictory migrations of merged branches. Migrations are in name order, or in
 * the order in which a database has `applied` them (null without a database). Records that were not deployed with the
 * SQL make a check impossible.
 */
export function checkMigrations(
  texts: MigrationTexts,
  applied: readonly string[] | null = null,
): MigrationsCheck {
  const history = parseHistory(texts);
  const { problems } = history;
  if (history.unrecorded.length > 0) {
    return { problems, isContradictory: false, isSnapshotStale: false };
  }
  const byName = replay(history, applied);
  const inOrder = applied === null ? byName : replay(orderedBy(history, applied), applied);
  const contradictions = byName.problems.length > 0 ? byName.problems : inOrder.problems;
  const snapshot = snapshotText(byName.schema);
  return {
    problems: contradictions,
    isContradictory: problems.length === 0 && contradictions.length > 0,
    isSnapshotStale: (texts.get(snapshotPath) ?? snapshot) !== snapshot && problems.length === 0,
  };
}

/** Puts applied migrations first: a merge may place a migration before one that a database has already applied. */
function orderedBy(history: History, applied: readonly string[]): History {
  const place = (name: string) => (applied.includes(name) ? applied.indexOf(name) : applied.length);
  return {
    ...history,
    records: history.records.toSorted((a, b) => place(a.name) - place(b.name)),
  };
}
