/** Lets those who wait go on in turn, while new requests of everybody else come in between. */
export interface Turns<Waiting> {
  /** Queues one, unless it is queued already. */
  await(one: Waiting): void;
}

/**
 * So many go on in each round of the event loop. A request of somebody else needs some rounds, one for each step from its
 * connection to its answer, and Node accepts one connection in each: what a round costs is multiplied by all that. With
 * one, each answer to requests sent ahead costs a round, also where few send them.
 */
const perRound = 4;

/** Those who wait go on in the order in which they began to; whoever waits again does so behind the others. */
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
