import type { RequestState } from "../../request/index.js";
import type { DatabaseOptions } from "./options.js";

/** Called after each statement, even if it failed, with the request that sent it. */
export type NoteTime = (
  statement: string,
  milliseconds: number,
  request: RequestState | null,
) => void;

/** Returns a function that reports slow statements without their values. */
export function timeNote({
  slowMs = Number.POSITIVE_INFINITY,
  log,
  onSlow,
}: Pick<DatabaseOptions, "slowMs" | "log" | "onSlow">): NoteTime {
  return (statement, milliseconds, request) => {
    if (milliseconds < slowMs) return;
    onSlow?.(statement, milliseconds);
    const line = { ...request?.fields, milliseconds: Math.round(milliseconds), statement };
    log?.warn(line, "A slow statement");
  };
}

/** Runs a statement and records its duration. */
export async function timed<T>(
  { statement, request }: { readonly statement: string; readonly request: RequestState | null },
  noteTime: NoteTime,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    noteTime(statement, performance.now() - began, request);
  }
}
