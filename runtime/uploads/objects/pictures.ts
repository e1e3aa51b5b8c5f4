import type { Config } from "../../config/index.js";
import type { Picture } from "../image/pixels/encode.js";
import type { Storage } from "../storage/storage.js";
import { type FileDetails, objectUrl } from "./details.js";
import { objectHeaders } from "./headers.js";
import { renditionKey } from "./key.js";
import { placeOf } from "./place.js";
import type { StoredObject } from "./store.js";

/** A picture and the key under which it is stored. */
export interface PlacedPicture {
  readonly key: string;
  readonly picture: Picture;
}

/** A picture's rendition, stored next to the picture. */
export interface PlacedRendition extends PlacedPicture {
  readonly rendition: string;
}

/** The renditions of the picture with that key, each with its own key. A version consists of letters and digits. */
export function renditionsOf(
  key: string,
  renditions: Readonly<Record<string, Picture>>,
  version: string | null = null,
): readonly PlacedRendition[] {
  return Object.entries(renditions).map(([rendition, picture]) => ({
    key: renditionKey(key, rendition, version),
    rendition,
    picture,
  }));
}

/** Stores all pictures; their download names derive from the original file's. */
export async function writePictures(
  storage: Storage,
  placed: readonly PlacedPicture[],
  { name, isPrivate }: { readonly name: string; readonly isPrivate: boolean },
): Promise<void> {
  const file = { mime: "image/webp", name, optimised: true };
  const headers = objectHeaders(file, { isPrivate, isAttachment: false });
  const writes = placed.map(({ key, picture }) =>
    storage.write(placeOf(storage, { key, isPrivate }), [picture.bytes], headers),
  );
  // No write may still run when a failure removes the written objects.
  await Promise.allSettled(writes);
  await Promise.all(writes);
}

export function asObjects(placed: readonly PlacedPicture[]): readonly StoredObject[] {
  return placed.map(({ key, picture }) => ({ key, size: picture.bytes.length }));
}

/** The renditions by name, as the API returns them. */
export function renditionDetails(
  config: Config,
  placed: readonly PlacedRendition[],
  { isPrivate }: { readonly isPrivate: boolean },
): FileDetails["renditions"] {
  return Object.fromEntries(
    placed.map(({ rendition, key, picture: { width, height, bytes } }) => [
      rendition,
      { url: objectUrl(config, { key, isPrivate }), width, height, size: bytes.length },
    ]),
  );
}
