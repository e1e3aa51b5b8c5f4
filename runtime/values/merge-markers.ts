import type { Problem } from "./problem.js";

export const mergeMarkersMessage = "this file has merge conflict markers";

/**
 * The number of the first line with a marker that Git writes above or below a merge conflict; null if there is none.
 * The marker between the two sides is ignored, because it may also underline a heading.
 */
export function mergeMarkerLine(text: string): number | null {
  const at = text.split("\n").findIndex((line) => /^(?:<{7}|>{7}) /.test(line));
  return at < 0 ? null : at + 1;
}

/** The problem of a file with merge conflict markers; null if it has none. */
export function mergeMarkers(file: string, text: string): Problem | null {
  const line = mergeMarkerLine(text);
  const hint =
    "keep what you need from both sides and delete the marker lines, then run: npx service generate";
  return line === null ? null : { file, line, column: 1, message: mergeMarkersMessage, hint };
}
