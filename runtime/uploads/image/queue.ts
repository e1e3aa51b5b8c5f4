import { availableParallelism } from "node:os";
import { createQueue } from "../../queue/index.js";

// Each picture being processed holds one of the four threads of libuv in its process, and reading headers needs one
// too.
const atOnce = Math.min(availableParallelism(), 3);

// A picture takes about a third of a second: with two processors, a queue of 64 is ten seconds.
const pictures = createQueue({ concurrency: atOnce, waiting: 64 });

/**
 * Most decoders hold a few lines; some must hold the whole picture. Two of those at once would double the
 * server's memory.
 */
const greedyPictures = createQueue({ concurrency: 1, waiting: 8 });
const greedyBytes = 100_000_000;

// A header is read in a few milliseconds, and in hundreds where it is crafted for that; it must neither wait for
// pictures nor take the remaining threads.
const headers = createQueue({ concurrency: 1, waiting: 256 });

// What a drawing takes shows only while it is drawn: one at a time, so that the others wait for none of it, and its memory
// is that of the process.
const drawings = createQueue({ concurrency: 1, waiting: 32 });

/** How many pictures wait to be processed. */
export function picturesWaiting(): number {
  return pictures.waiting() + greedyPictures.waiting() + headers.waiting() + drawings.waiting();
}

/** Queues the reading of one picture's header. Refuses with `UNAVAILABLE` when too many are queued already. */
export function headerInTurn<T>(work: () => Promise<T>): Promise<T> {
  return headers.run(work);
}

/** Queues the work on one drawing, apart from pictures. Refuses with `UNAVAILABLE` when too much is queued already. */
export function drawingInTurn<T>(work: () => Promise<T>): Promise<T> {
  return drawings.run(work);
}

/**
 * Queues the work on one picture. `decoderBytes` is about how much memory its decoder needs: greedy pictures are
 * processed one at a time, whatever else runs. Refuses with `UNAVAILABLE` when too much is queued already.
 */
export function inTurn<T>(decoderBytes: number, work: () => Promise<T>): Promise<T> {
  if (decoderBytes < greedyBytes) return pictures.run(work);
  return greedyPictures.run(() => pictures.run(work));
}
