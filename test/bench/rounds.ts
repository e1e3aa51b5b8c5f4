import type { Figures } from "./load.js";

/** How long and how often is measured. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  /** A run continues until a server has answered so often. */
  readonly leastAnswers: number;
}

/**
 * Milliseconds. Whatever takes longer for one round, as a reference that reads a million records for each of 32
 * answers, is measured once: it is so far behind that two more rounds of it would say no more.
 */
const longRound = 15_000;

/**
 * Measures each in turn, round by round, and gives the medians in the order of `subjects`. Each round
 * begins with another one, so that nobody always runs after the same neighbour.
 */
export async function rounds<Subject>(
  count: number,
  subjects: readonly Subject[],
  run: (subject: Subject) => Promise<Figures>,
): Promise<readonly Figures[]> {
  const runs = subjects.map((): Figures[] => []);
  const slow = new Set<Subject>();
  for (let round = 0; round < count; round += 1) {
    for (const turn of subjects.keys()) {
      const at = (round + turn) % subjects.length;
      const subject = subjects[at];
      if (subject === undefined || slow.has(subject)) continue;
      const began = performance.now();
      runs[at]?.push(await run(subject));
      if (performance.now() - began > longRound) slow.add(subject);
    }
  }
  return runs.map(median);
}

/** The middle of several runs, figure by figure. */
function median(runs: readonly Figures[]): Figures {
  const middle = (pick: (figures: Figures) => number) => {
    const sorted = runs.map(pick).toSorted((a, b) => a - b);
    const upper = sorted[sorted.length >> 1] ?? Number.NaN;
    const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
    return (lower + upper) / 2;
  };
  return {
    rate: middle(({ rate }) => rate),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
  };
}
