import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Requests a second and milliseconds of the generated server, and its ratios to both references. */
const caseFigures = z.strictObject({
  name: z.string(),
  /** Products in the database. */
  rows: z.number(),
  rate: z.number(),
  e: z.number(),
  r: z.number(),
  p50: z.number(),
  p99: z.number(),
  /** The p99 of E. */
  p99OfE: z.number(),
});
export type CaseFigures = z.infer<typeof caseFigures>;

const figures = z.strictObject({
  /** When, how long, and on which machine: the end of "Measured …". */
  measured: z.string(),
  cases: z.array(caseFigures),
  checks: z.array(z.strictObject({ name: z.string(), measured: z.string(), target: z.string() })),
});

/** What `npm run bench` found, whole; README and the page on performance state nothing else. */
export type Figures = z.infer<typeof figures>;

/** Below the repository's root. */
const path = "test/bench/figures/figures.json";

export function readFigures(repository: string): Figures {
  return figures.parse(JSON.parse(readFileSync(join(repository, path), "utf8")));
}

export function writeFigures(repository: string, found: Figures): void {
  writeFileSync(join(repository, path), `${JSON.stringify(found, null, 2)}\n`);
}
