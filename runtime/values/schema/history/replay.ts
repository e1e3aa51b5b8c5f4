import type { Problem } from "../../problem.js";
import { applyChange } from "../change.js";
import { emptySchema, type Schema } from "../schema.js";
import { contradiction, type Earlier } from "./contradiction.js";
import type { History } from "./history.js";
import { downPath, recordPath, sqlPath } from "./migration-paths.js";
import type { MigrationRecord } from "./record.js";

export interface Replayed {
  readonly schema: Schema;
  /** Why the schema is unreliable; empty if all records are readable and consistent with each other. */
  readonly problems: readonly Problem[];
}

/**
 * Returns the schema after the recorded migrations. A missing or unreadable file may cause a contradiction, so these
 * are reported only if every file is readable. `applied` lists the migrations of a database; null if none was queried.
 */
export function replay(
  { records, problems }: History,
  applied: readonly string[] | null = null,
): Replayed {
  const { schema, historyProblems } = follow(records);
  if (problems.length > 0) return { schema, problems };
  return {
    schema,
    problems: historyProblems.map((historyProblem) =>
      contradictionOf(historyProblem, records, applied),
    ),
  };
}

/** A migration that cannot follow earlier ones. `why` is the end of a sentence. */
interface HistoryProblem {
  readonly name: string;
  readonly why: string;
}

function follow(records: readonly MigrationRecord[]): {
  readonly schema: Schema;
  readonly historyProblems: readonly HistoryProblem[];
} {
  const earlier: Earlier[] = [];
  const historyProblems: HistoryProblem[] = [];
  let schema = emptySchema;
  for (const { name, changes } of records) {
    // Only the first contradiction of a file is reported, since it may cause the others.
    let isSound = true;
    for (const change of changes) {
      const why = contradiction(schema, change, earlier);
      if (why === null) schema = applyChange(schema, change);
      else if (isSound) historyProblems.push({ name, why });
      isSound &&= why === null;
      earlier.push({ name, change });
    }
  }
  return { schema, historyProblems };
}

/** The problem of a contradiction: both branches of a merge may have changed the same thing. */
function contradictionOf(
  { name, why }: HistoryProblem,
  records: readonly MigrationRecord[],
  applied: readonly string[] | null,
): Problem {
  return {
    file: recordPath(name),
    line: 1,
    column: 1,
    message: `This migration ${why}`,
    hint: `${wayOut([...rivalsOf(name, records), name], applied)}; if a file is missing, restore it from version control`,
  };
}

/** The earlier migrations that would each, if removed, resolve the contradiction. */
function rivalsOf(name: string, records: readonly MigrationRecord[]): readonly string[] {
  const index = records.findIndex((record) => record.name === name);
  const upToIt = records.slice(0, index + 1);
  return upToIt
    .slice(0, -1)
    .filter((rival) => {
      const { historyProblems } = follow(upToIt.filter((record) => record !== rival));
      return !historyProblems.some((historyProblem) => historyProblem.name === name);
    })
    .map((rival) => rival.name);
}

/** Returns a hint on how to resolve the contradiction. Only a migration that is not applied can be deleted; `applied` is null if the database was not asked which are applied. */
function wayOut(names: readonly string[], applied: readonly string[] | null): string {
  if (applied === null) {
    const [first = "", ...others] = names.toReversed().map(filesOf);
    const or = others.map((files) => `, or ${files}`).join("");
    const which =
      or === "" ? "" : ", whichever is not applied yet (npx service migrate --status shows which)";
    return `if two branches were merged, keep one of the two: delete ${first}${or}${which}, then run: npx service generate`;
  }
  const open = names.filter((name) => !applied.includes(name));
  return open.length === 0
    ? "both are applied to this database: undo one (npx service migrate --down), delete its files, then run: npx service generate"
    : `if two branches were merged, delete ${open.map(filesOf).join(" or ")}, which is not applied yet, then run: npx service generate`;
}

function filesOf(name: string): string {
  return `${sqlPath(name)}, ${recordPath(name)} and ${downPath(name)}`;
}
