import { availableParallelism } from "node:os";
import { createQueue } from "../../queue/index.js";

// Each picture being processed holds one of the four threads of libuv in its process, and reading headers needs one
// too.
const atOnce = Math.min(availableParallelism(), 3);

// A picture takes about a third of a second: with two CPUs, a queue of 64 is ten seconds.
const pictures = createQueue({ concurrency: atOnce, waiting: 64 });

/**
 * Most decoders hold a few lines; some must hold the whole picture. Two of those at once would double the server's
 * memory.
 */
const greedyPictures = createQueue({ concurrency: 1, waiting: 8 });
const greedyBytes = 100_000_000;

// A header takes a few milliseconds, and hundreds if it is malicious; it must neither wait for pictures nor take the
// remaining threads.
const headers = createQueue({ concurrency: 1, waiting: 256 });

// The cost of a drawing is unknown until it is drawn: one at a time, so that pictures do not wait for drawings, and the
// memory of the process is that of one drawing.
const drawings = createQueue({ concurrency: 1, waiting: 32 });

export function picturesWaiting(): number {
  return pictures.waiting() + greedyPictures.waiting() + headers.waiting() + drawings.waiting();
}

/** Queues the reading of one picture's header. Refuses with `UNAVAILABLE` if the queue is full. */
export function headerInTurn<T>(work: () => Promise<T>): Promise<T> {
  return headers.run(work);
}

/** Queues the work on one drawing, separately from pictures. Refuses with `UNAVAILABLE` if the queue is full. */
export function drawingInTurn<T>(work: () => Promise<T>): Promise<T> {
  return drawings.run(work);
}

/**
 * Queues the work on one picture. `decoderBytes` is the approximate memory of its decoder: pictures with a high value
 * are processed one at a time. Refuses with `UNAVAILABLE` if the queue is full.
 */
export function inTurn<T>(decoderBytes: number, work: () => Promise<T>): Promise<T> {
  if (decoderBytes < greedyBytes) return pictures.run(work);
  return greedyPictures.run(() => pictures.run(work));
}
