/** A fair queue: its members continue in order, interleaved with new requests of other clients. */
export interface Turns<Waiting> {
  /** Queues a member, unless it is queued already. */
  await(one: Waiting): void;
}

/**
 * The number of waiting members that continue in each round of the event loop. A new request needs several rounds, and
 * Node accepts one connection in each, so every slow round adds to its delay. With one member per round, even a few
 * pipelined requests would cost a round each.
 */
const perRound = 4;

/** Creates a queue, first in, first out; a member that waits again goes to the end. */
export function newTurns<Waiting>(goOn: (one: Waiting) => void): Turns<Waiting> {
  const queue = new Set<Waiting>();
  let isDue = false;

  function round(): void {
    isDue = false;
    const next: Waiting[] = [];
    for (const one of queue) {
      if (next.length === perRound) break;
      next.push(one);
      queue.delete(one);
    }
    if (queue.size > 0) schedule();
    for (const one of next) goOn(one);
  }

  function schedule(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(round);
  }

  return {
    await(one) {
      queue.add(one);
      schedule();
    },
  };
}
