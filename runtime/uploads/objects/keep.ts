import { type PlacedObject, placeOf } from "./place.js";
import type { StorageServices } from "./services.js";
import { announceObjects, forgetObjects, type NewObjects } from "./store.js";

/**
 * Runs work that writes these objects and records their upload. After a failure all are removed. Pruning finds those
 * that cannot be removed now, because their keys are recorded first.
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
    const { keys, isPrivate } = objects;
    await discardObjects(
      services,
      keys.map((key) => ({ key, isPrivate })),
    );
    throw error;
  }
}

/** Removes the objects of an upload that failed; never throws. */
export async function discardObjects(
  { db, storage, log }: StorageServices,
  objects: readonly PlacedObject[],
): Promise<void> {
  const keys = objects.map(({ key }) => key);
  try {
    await Promise.all(objects.map((object) => storage.remove(placeOf(storage, object))));
    await forgetObjects(db, keys);
  } catch (error) {
    log.warn({ err: error, keys }, "an interrupted upload will be removed by pruning");
  }
}
