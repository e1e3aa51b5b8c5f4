import { setTimeout as sleep } from "node:timers/promises";

/** Loads a module. Later calls do not access the disk. */
export type Load<Module> = () => Promise<Module>;

const known = new Set<Load<unknown>>();

/**
 * Delays loading a module until first use, or until `loadRest` loads it. Requests should not trigger the load: if a
 * read fails, Node.js caches the failure until the process ends.
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
 * Loads all remaining modules, one after another. A server calls this once it listens: its code may be replaced on disk
 * while it serves, and a request might find no free file descriptor.
 */
export async function loadRest(onError: (error: unknown) => void): Promise<void> {
  // The set grows during the loop: it then includes modules that a loaded module registers.
  for (const load of known) {
    await sleep(pauseMs, undefined, { ref: false });
    await load().catch(onError);
  }
}
