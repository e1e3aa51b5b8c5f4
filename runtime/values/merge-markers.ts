import type { Problem } from "./problem.js";

export const mergeMarkersMessage = "this file has merge conflict markers";

/**
 * The first line that Git leaves above or below two sides it could not merge, from 1; null without one.
 * The line between them may as well underline a heading.
 */
export function mergeMarkerLine(text: string): number | null {
  const at = text.split("\n").findIndex((line) => /^(?:<{7}|>{7}) /.test(line));
  return at < 0 ? null : at + 1;
}

/** Where a merge left both sides in a file of the app; null for a file without such markers. */
export function mergeMarkers(file: string, text: string): Problem | null {
  const line = mergeMarkerLine(text);
  const hint =
    "keep what you need of both sides and delete the marker lines, then run: npx service generate";
  return line === null ? null : { file, line, column: 1, message: mergeMarkersMessage, hint };
}
