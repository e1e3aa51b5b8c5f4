import type { DatabaseOptions } from "./options.js";

/** Called after each statement, also after one that failed. */
export type NoteTime = (statement: string, milliseconds: number) => void;

/** Logs the statements that took long. Their texts have no values. */
export function timeNote({
  slowMs = Number.POSITIVE_INFINITY,
  log,
}: Pick<DatabaseOptions, "slowMs" | "log">): NoteTime {
  return (statement, milliseconds) => {
    if (milliseconds < slowMs) return;
    log?.warn({ milliseconds: Math.round(milliseconds), statement }, "A slow statement");
  };
}

/** Runs the work of a statement, and notes how long it took. */
export async function timed<T>(
  statement: string,
  noteTime: NoteTime,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    noteTime(statement, performance.now() - began);
  }
}
