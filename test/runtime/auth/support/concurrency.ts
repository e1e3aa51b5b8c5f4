import type { Reply } from "../../../support/http/client.js";

/** The outcomes of so many concurrent attempts. */
export function atOnce<Outcome>(
  tries: number,
  once: (at: number) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  return Promise.all(Array.from({ length: tries }, (_, at) => once(at)));
}

/** How often each outcome came. */
export function countEach(
  outcomes: readonly (number | string)[],
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** How often each status came. */
export function countStatuses(
  replies: readonly Reply<unknown>[],
): Readonly<Record<string, number>> {
  return countEach(replies.map(({ status }) => status));
}
