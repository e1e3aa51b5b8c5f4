import { setTimeout as sleep } from "node:timers/promises";

/** Loads a module; once it is there, nothing is looked up on the disk any more. */
export type Load<Module> = () => Promise<Module>;

const known = new Set<Load<unknown>>();

/**
 * Code that a start does not load: the first use does, or `loadRest` before that. A request alone should not be what loads
 * it, for Node.js remembers until the process ends that a file could not be read.
 */
export function later<Module>(load: Load<Module>): Load<Module> {
  let loaded: Promise<Module> | null = null;
  const once = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
  known.add(once);
  return once;
}

/** Milliseconds in which requests have their turn: a module takes up to 40 ms of processor time. */
const pauseMs = 50;

/**
 * Loads what is not loaded yet, one module after the other. A server does so once it listens: its code may be replaced on
 * the disk while it goes on serving, and there may be no room for another open file when a request needs the code.
 */
export async function loadRest(onError: (error: unknown) => void): Promise<void> {
  // What a module brings with it is found too: the set grows meanwhile.
  for (const load of known) {
    await sleep(pauseMs, undefined, { ref: false });
    await load().catch(onError);
  }
}
