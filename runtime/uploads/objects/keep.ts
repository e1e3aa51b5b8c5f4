import { placeOf } from "./place.js";
import type { StorageServices } from "./services.js";
import { announceObjects, forgetObjects, type NewObjects } from "./store.js";

/**
 * Runs the work that writes these objects and records their upload. After any failure none of them stays: pruning
 * removes those that cannot be removed now, because their keys are recorded first.
 */
export async function keepOrDiscard<T>(
  services: StorageServices,
  objects: NewObjects,
  work: () => Promise<T>,
): Promise<T> {
  await announceObjects(services.db, objects, services.clock.now());
  try {
    return await work();
  } catch (error) {
    await discard(services, objects);
    throw error;
  }
}

async function discard(
  { db, storage, log }: StorageServices,
  { keys, isPrivate }: NewObjects,
): Promise<void> {
  try {
    await Promise.all(keys.map((key) => storage.remove(placeOf(storage, { key, isPrivate }))));
    await forgetObjects(db, keys);
  } catch (error) {
    log.warn({ err: error, keys }, "an interrupted upload is left to pruning");
  }
}
