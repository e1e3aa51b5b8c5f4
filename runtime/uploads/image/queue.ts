import { availableParallelism } from "node:os";
import { createQueue } from "../../queue/index.js";

// Each picture in work holds one of libuv's four threads, and reading headers needs one, too.
const atOnce = Math.min(availableParallelism(), 3);

// A picture takes about a third of a second: with two processors, 64 that wait are ten seconds.
const pictures = createQueue({ concurrency: atOnce, waiting: 64 });

/**
 * Most decoders hold a few lines; some have to hold the whole picture. Two of those at once would
 * double the server's memory.
 */
const greedyPictures = createQueue({ concurrency: 1, waiting: 8 });
const greedyBytes = 100_000_000;

// A header is read in a few milliseconds, and in hundreds where somebody wants it so; it must neither
// wait for pictures nor take the threads that are left.
const headers = createQueue({ concurrency: 1, waiting: 256 });

/** Reads the header of one picture in its turn. Refuses with `UNAVAILABLE` when too many are waiting already. */
export function headerInTurn<T>(work: () => Promise<T>): Promise<T> {
  return headers.run(work);
}

/**
 * Does the work on one picture in its turn. `decoderBytes` is about how much memory its decoder
 * takes: greedy ones are worked on one by one, whatever else is going on. Refuses with
 * `UNAVAILABLE` when too much is waiting already.
 */
export function inTurn<T>(decoderBytes: number, work: () => Promise<T>): Promise<T> {
  if (decoderBytes < greedyBytes) return pictures.run(work);
  return greedyPictures.run(() => pictures.run(work));
}
