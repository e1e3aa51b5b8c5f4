import { type PlannedTask, refuseEdited } from "./apply.js";
import type { History } from "./compare.js";
import { MigrationError } from "./error.js";
import type { MigrationFile } from "./files.js";
import { placeOf } from "./refusal.js";
import type { Direction } from "./run.js";
import { mergeMark, readScript } from "./script.js";

/**
 * Reads what files tell to do and sets beside it what of that is done; all mistakes of form are told
 * together, before anything is applied.
 *
 * @throws {MigrationError} when a file has a mistake of form, or a step that is done was changed.
 */
export function planTasks(
  files: readonly MigrationFile[],
  direction: Direction,
  { steps }: Pick<History, "steps">,
): readonly PlannedTask[] {
  refuseMalformed(files);
  const tasks = files.map((file) => ({
    file,
    direction,
    script: readScript(file.sql).script,
    begun: steps.filter(
      (row) => row.source === file.source && row.name === file.name && row.direction === direction,
    ),
  }));
  for (const task of tasks) refuseEdited(task);
  return tasks;
}

/**
 * @throws {MigrationError} with every mistake of form in the files.
 */
export function refuseMalformed(files: readonly MigrationFile[]): void {
  const problems = files.flatMap((file) =>
    readScript(file.sql).problems.map(
      ({ line, sentence }) => `${placeOf(file, line)}: ${sentence}`,
    ),
  );
  if (problems.length === 0) return;
  throw new MigrationError(problems.join("\n"), "Mend it and run migrate again");
}

/**
 * Refuses files that a merge left unfinished, applied ones too.
 *
 * @throws {MigrationError} with the first line of each that says so.
 */
export function refuseMergeMarks(files: readonly MigrationFile[]): void {
  const marked = files.flatMap((file) => {
    const line = mergeMark(file.sql);
    return line === null ? [] : [`${placeOf(file, line)}: has the marks of a merge conflict`];
  });
  if (marked.length === 0) return;
  throw new MigrationError(
    marked.join("\n"),
    "Take one of the two sides, or both, and run migrate again; nothing was applied",
  );
}
