import { whenOver } from "../../db/index.js";

/**
 * Waits for the work; rejects with the error from `late` after `ms` milliseconds. If `ms` is a function, it returns the
 * remaining milliseconds, which may increase in the meantime.
 */
export function withTimeLimit<T>(
  ms: number | (() => number),
  work: () => Promise<T>,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = typeof ms === "number" ? performance.now() + ms : 0;
    const left = typeof ms === "number" ? () => end - performance.now() : ms;
    const stop = whenOver(left, () => reject(late()));
    work().then(resolve, reject).finally(stop);
  });
}
