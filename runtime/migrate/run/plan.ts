import { mergeMarkerLine, mergeMarkersMessage } from "../../values/merge-markers.js";
import { MigrationError } from "../error.js";
import type { MigrationFile } from "../files/files.js";
import { readScript, type Script, type ScriptProblem } from "../files/script.js";
import { type DatabaseHistory, recordedSteps } from "../history/history.js";
import type { Direction, StepRow, Task } from "../history/steps.js";
import { firstLine, lineReference, phrases } from "./step-error.js";

/** A file, its parsed steps, and the steps that an earlier run completed. */
export interface PlannedTask extends Task {
  readonly script: Script;
  readonly recorded: readonly StepRow[];
}

/**
 * Parses files and adds the recorded steps. Reports all format errors together, before anything is applied.
 *
 * @throws {MigrationError} if a file has a format error, or a completed step was changed.
 */
export function planTasks(
  files: readonly MigrationFile[],
  direction: Direction,
  history: Pick<DatabaseHistory, "steps">,
): readonly PlannedTask[] {
  const tasks = readScripts(files, direction).map(({ file, script }) => ({
    file,
    direction,
    script,
    recorded: recordedSteps(history, file, direction),
  }));
  for (const task of tasks) refuseEdited(task);
  return tasks;
}

/** Parses the files; throws a single error with all format errors. */
function readScripts(
  files: readonly MigrationFile[],
  direction: Direction,
): readonly Pick<PlannedTask, "file" | "script">[] {
  const read = files.map((file) => ({ file, ...readScript(file.sql) }));
  const errors = read.flatMap(({ file, problems }) => linesOf(file, problems));
  if (errors.length > 0) {
    throw new MigrationError(
      errors.join("\n"),
      `fix it and run ${phrases[direction].command} again`,
    );
  }
  return read;
}

/** Returns every format error in migration files, with file and line. Needs no database. */
export function findFormatErrors(files: readonly MigrationFile[]): readonly string[] {
  return files.flatMap((file) => linesOf(file, readScript(file.sql).problems));
}

function linesOf(file: MigrationFile, problems: readonly ScriptProblem[]): readonly string[] {
  return problems.map(({ line, sentence }) => `${lineReference(file, line)}: ${sentence}`);
}

/**
 * Refuses a file in which a completed step was changed or removed.
 *
 * @throws {MigrationError} with the line of the step.
 */
function refuseEdited({ file, script, recorded }: PlannedTask): void {
  for (const row of recorded.filter(({ done }) => done)) {
    const step = script.steps[row.step - 1];
    if (step?.checksum === row.checksum) continue;
    throw new MigrationError(
      step === undefined
        ? `${file.path}: step ${row.step} was removed after it was applied to this database`
        : `${lineReference(file, firstLine(step))}: step ${row.step} was changed after it was applied to this database`,
      "undo that change; only steps that are not yet applied may be changed",
    );
  }
}

/**
 * Refuses files with merge conflict markers, including applied ones.
 *
 * @throws {MigrationError} with the first such line of each file.
 */
export function refuseMergeMarkers(files: readonly MigrationFile[]): void {
  const marked = files.flatMap((file) => {
    const line = mergeMarkerLine(file.sql);
    return line === null ? [] : [`${lineReference(file, line)}: ${mergeMarkersMessage}`];
  });
  if (marked.length === 0) return;
  throw new MigrationError(
    marked.join("\n"),
    "keep what you need from both sides and delete the marker lines, then run: npx service generate",
  );
}
