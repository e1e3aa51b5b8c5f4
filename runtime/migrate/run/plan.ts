import { mergeMarkerLine, mergeMarkersMessage } from "../../values/merge-markers.js";
import { MigrationError } from "../error.js";
import type { MigrationFile } from "../files/files.js";
import { readScript, type Script } from "../files/script.js";
import { type DatabaseHistory, recordedSteps } from "../history/history.js";
import type { Direction, StepRow, Task } from "../history/steps.js";
import { firstLine, lineReference, phrases } from "./step-error.js";

/** A file, what it tells to do, and what of that an earlier run did. */
export interface PlannedTask extends Task {
  readonly script: Script;
  readonly recorded: readonly StepRow[];
}

/**
 * Reads what files tell to do and sets beside it what of that is done; all mistakes of form are told
 * together, before anything is applied.
 *
 * @throws {MigrationError} when a file has a mistake of form, or a step that is done was changed.
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

/** What each file tells to do; refuses with every mistake of form in them. */
function readScripts(
  files: readonly MigrationFile[],
  direction: Direction,
): readonly Pick<PlannedTask, "file" | "script">[] {
  const mistakes = findFormatErrors(files);
  if (mistakes.length > 0) {
    throw new MigrationError(
      mistakes.join("\n"),
      `fix it and run ${phrases[direction].command} again`,
    );
  }
  return files.map((file) => ({ file, script: readScript(file.sql).script }));
}

/** Every mistake of form in migration files, with its place; needs no database. */
export function findFormatErrors(files: readonly MigrationFile[]): readonly string[] {
  return files.flatMap((file) =>
    readScript(file.sql).problems.map(
      ({ line, sentence }) => `${lineReference(file, line)}: ${sentence}`,
    ),
  );
}

/**
 * Refuses where what was done is not what the file says any more.
 *
 * @throws {MigrationError} with the line of the step.
 */
function refuseEdited({ file, script, recorded }: PlannedTask): void {
  for (const row of recorded.filter(({ done }) => done)) {
    const step = script.steps[row.step - 1];
    if (step?.checksum === row.checksum) continue;
    throw new MigrationError(
      step === undefined
        ? `${file.path}: its step ${row.step} was taken out after it had been done on this database`
        : `${lineReference(file, firstLine(step))}: step ${row.step} was changed after it had been done on this database`,
      "undo that change; only the steps after those that are done may be changed",
    );
  }
}

/**
 * Refuses files that a merge left unfinished, applied ones too.
 *
 * @throws {MigrationError} with the first line of each that says so.
 */
export function refuseMergeMarkers(files: readonly MigrationFile[]): void {
  const marked = files.flatMap((file) => {
    const line = mergeMarkerLine(file.sql);
    return line === null ? [] : [`${lineReference(file, line)}: ${mergeMarkersMessage}`];
  });
  if (marked.length === 0) return;
  throw new MigrationError(
    marked.join("\n"),
    "keep what you need of both sides and delete the marker lines, then run: npx service generate",
  );
}
