import { availableParallelism } from "node:os";
import { createQueue } from "../../queue/index.js";

// Each picture being processed occupies one of the four libuv threads of its process, and reading headers needs one
// too.
const atOnce = Math.min(availableParallelism(), 3);

// A picture takes about a third of a second: with two CPUs, a queue of 64 is ten seconds.
const pictures = createQueue({ concurrency: atOnce, waiting: 64 });

/**
 * Most decoders hold a few lines; some hold the whole picture. Two of the latter at once would double the server's
 * memory.
 */
const greedyPictures = createQueue({ concurrency: 1, waiting: 8 });
const greedyBytes = 100_000_000;

// A header takes a few milliseconds, or hundreds if it is malicious; it must neither wait for pictures nor occupy the
// remaining threads.
const headers = createQueue({ concurrency: 1, waiting: 256 });

// The cost of a drawing is unknown until it is rendered. One runs at a time, so that pictures do not wait for drawings
// and the process needs the memory of only one.
const drawings = createQueue({ concurrency: 1, waiting: 32 });

export function picturesWaiting(): number {
  return pictures.waiting() + greedyPictures.waiting() + headers.waiting() + drawings.waiting();
}

/** Reads one picture's header when the queue permits. Refuses with `UNAVAILABLE` if the queue is full. */
export function headerInTurn<T>(work: () => Promise<T>): Promise<T> {
  return headers.run(work);
}

/** Processes one drawing in a queue separate from that of pictures. Refuses with `UNAVAILABLE` if the queue is full. */
export function drawingInTurn<T>(work: () => Promise<T>): Promise<T> {
  return drawings.run(work);
}

/**
 * Processes one picture when the queue permits. `decoderBytes` is the approximate memory use of its decoder: pictures
 * with a high value are processed one at a time. Refuses with `UNAVAILABLE` if the queue is full.
 */
export function inTurn<T>(decoderBytes: number, work: () => Promise<T>): Promise<T> {
  if (decoderBytes < greedyBytes) return pictures.run(work);
  return greedyPictures.run(() => pictures.run(work));
}
