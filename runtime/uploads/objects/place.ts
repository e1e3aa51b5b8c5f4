import type { Storage } from "../storage/storage.js";

/** An object, and whether it belongs to a private file. */
export interface PlacedObject {
  readonly key: string;
  readonly isPrivate: boolean;
}

/** The object's key in the storage, with a prefix if it is private. */
export function placeOf(
  { privatePrefix }: Pick<Storage, "privatePrefix">,
  { key, isPrivate }: PlacedObject,
): string {
  return isPrivate ? privatePrefix + key : key;
}
