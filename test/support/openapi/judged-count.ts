import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Whether answers are judged by `openapi.json`; off for a run: `UNCHECKED_ANSWERS=1`. */
export const isJudging = process.env.UNCHECKED_ANSWERS !== "1";

let untold = 0;

/** Counts an answer checked in this process. */
export function countJudged(): void {
  untold += 1;
}

/** Reports to the run the number of answers checked in a file's tests. */
export function tellJudged(runFolder: string): void {
  appendFileSync(join(runFolder, "judged"), `${untold}\n`);
  untold = 0;
}

/** A run of so many files asks servers far more often: fewer answers mean that the check is broken. */
const least = { files: 100, answers: 4_000 };

/** The counts of a run in words. Throws if they are implausibly small. */
export function sumOfJudged(runFolder: string): string {
  const path = join(runFolder, "judged");
  const counts = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : [];
  const judged = counts.reduce((sum, count) => sum + count, 0);
  if (isJudging && counts.length >= least.files && judged < least.answers) {
    throw new Error(`only ${judged} answers in ${counts.length} files were judged by openapi.json`);
  }
  return `${judged} answers were judged by openapi.json`;
}
