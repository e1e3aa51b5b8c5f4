import { setTimeout as sleep } from "node:timers/promises";

/** Loads a module; afterwards nothing is looked up on the disk. */
export type Load<Module> = () => Promise<Module>;

const known = new Set<Load<unknown>>();

/**
 * Delays loading a module until its first use, or until `loadRest` loads it. A request should not have to load it: if a
 * read fails, Node.js remembers the failure until the process ends.
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

/** Milliseconds left for requests between two modules, each of which takes up to 40 ms of CPU time to load. */
const pauseMs = 50;

/**
 * Loads the modules not loaded yet, one after another. A server does so once it listens: its code may be replaced on
 * the disk while it serves, and a request might find no free file descriptor.
 */
export async function loadRest(onError: (error: unknown) => void): Promise<void> {
  // The set grows in the meantime: modules that a module loads are included.
  for (const load of known) {
    await sleep(pauseMs, undefined, { ref: false });
    await load().catch(onError);
  }
}
