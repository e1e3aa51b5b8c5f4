/** The prefix of private files in a bucket. It cannot begin another key, because a storage key has five parts. */
export const privatePrefix = "private/";

/** `<resource>/<field>/<year>/<month>/<uuid>-<filename>`; never a path outside the folder. */
const storageKey =
  /^[a-z0-9-]+\/[A-Za-z0-9]+\/\d{4}\/\d\d\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[A-Za-z0-9._-]+$/;

/** Limits of Linux and S3 in bytes: for a file name and, below it, for a whole key. */
const maxNameBytes = 255;
const maxKeyBytes = 1024 - privatePrefix.length;

/** Whether a text has the form of a storage key. */
export function isKey(text: string): boolean {
  const fileName = text.slice(text.lastIndexOf("/") + 1);
  return storageKey.test(text) && fileName.length <= maxNameBytes && text.length <= maxKeyBytes;
}

/** The key at the end of an object's URL; null if there is none. */
export function keyOfUrl(url: string): string | null {
  const key = url.split("/").slice(-5).join("/");
  return isKey(key) ? key : null;
}

/**
 * Throws a `TypeError` for a text that is not the location of an object: a key or, in a bucket, `private/` and a key.
 * The server creates or looks up every key, so any other text is a bug.
 */
export function assertPlace(place: string, prefix: string): void {
  if (isKey(place)) return;
  if (prefix !== "" && place.startsWith(prefix) && isKey(place.slice(prefix.length))) return;
  throw new TypeError(`not a storage key: ${JSON.stringify(place.slice(0, maxKeyBytes))}`);
}
