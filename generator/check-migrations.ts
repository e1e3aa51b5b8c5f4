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
 * Looks for files that are missing or unmerged and for migrations of merged branches that contradict
 * each other. Where records were not deployed with the SQL, there is nothing to go by.
 */
export function checkMigrations(root: string): MigrationsCheck {
  const current = readCurrent(root, ["migrations"]);
  const { records, problems, unrecorded } = readHistory(current);
  if (problems.length > 0) return { problems, isSnapshotStale: false };
  if (unrecorded.length > 0) return { problems: [], isSnapshotStale: false };
  const replayed = replay(records);
  const { path, text } = emitSnapshot(replayed.schema);
  return {
    problems: replayed.problems,
    isSnapshotStale: (current.get(path) ?? text) !== text,
  };
}
