import type { Storage } from "../storage/storage.js";

/** An object, and whether it is among those of private files. */
export interface PlacedObject {
  readonly key: string;
  readonly isPrivate: boolean;
}

/** The key under which the storage has the object. */
export function placeOf(
  { privatePrefix }: Pick<Storage, "privatePrefix">,
  { key, isPrivate }: PlacedObject,
): string {
  return isPrivate ? privatePrefix + key : key;
}
