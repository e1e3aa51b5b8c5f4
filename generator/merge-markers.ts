import type { Problem } from "./problem.js";

/** Where a merge left both sides in a file; null for a file without such markers. */
export function mergeMarkers(file: string, text: string): Problem | null {
  const at = text.split("\n").findIndex((line) => /^(<{7}|>{7}) /.test(line));
  return at < 0
    ? null
    : {
        file,
        line: at + 1,
        column: 1,
        message: "this file has merge conflict markers",
        hint: "keep what you need of both sides and delete the marker lines, then run generate again",
      };
}
