/** Lets those who wait go on in turn, while new requests of everybody else come in between. */
export interface Turns<Waiting> {
  /** Queues one, unless it is queued already. */
  await(one: Waiting): void;
}

/**
 * One goes on in each round of the event loop. A request of somebody else needs some rounds, one for each step from its
 * connection to its answer, and Node accepts one connection in each: what a round costs is multiplied by all that.
 */
export function newTurns<Waiting>(goOn: (one: Waiting) => void): Turns<Waiting> {
  const queue = new Set<Waiting>();
  let isDue = false;

  function round(): void {
    isDue = false;
    const [one] = queue;
    if (one === undefined) return;
    queue.delete(one);
    if (queue.size > 0) schedule();
    goOn(one);
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
