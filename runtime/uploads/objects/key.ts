import { v7 as uuid } from "uuid";

/** Maximum number of characters of a file's name in its storage key. */
const maxCharacters = 100;
const webp = ".webp";

export interface NewKey {
  readonly resource: string;
  readonly field: string;
  /** The file's name as sent. */
  readonly name: string;
  /** The first 16 bytes of the content's digest, if `hasDigest` must recognize the file. */
  readonly digest?: Uint8Array;
}

/** A new storage key: `<resource>/<field>/<year>/<month>/<uuid>-<filename>`. */
export function newFileKey(made: NewKey, now: Date): string {
  return keyOf(made, now, cut(plain(made.name), maxCharacters));
}

/** A new storage key of a picture, which always ends in `.webp`. */
export function newImageKey(made: NewKey, now: Date): string {
  const stem = plain(made.name).replace(/\.[^.]*$/, "");
  return keyOf(made, now, cut(stem, maxCharacters - webp.length) + webp);
}

/**
 * The storage key of a picture's rendition: `…-photo.webp` → `…-photo.thumb.webp`. A rendition that was generated again
 * has a version: `…-photo.thumb.1f2e3d4c.webp`.
 */
export function renditionKey(key: string, rendition: string, version: string | null): string {
  const suffix = version === null ? rendition : `${rendition}.${version}`;
  return `${key.slice(0, -webp.length)}.${suffix}${webp}`;
}

/** Whether the key was created with this digest, at any time. */
export function hasDigest(key: string, digest: Uint8Array): boolean {
  const id = key.split("/").at(-1)?.slice(0, uuidLength) ?? "";
  return id.slice(timeLength) === uuid({ msecs: 0, random: digest }).slice(timeLength);
}

/** Characters of a UUID, and of the timestamp at the beginning of a version 7 UUID. */
const uuidLength = 36;
const timeLength = 13;

function keyOf({ resource, field, digest }: NewKey, now: Date, fileName: string): string {
  const month = now.toISOString().slice(0, 7).replace("-", "/");
  const id = uuid({ msecs: now.getTime(), ...(digest && { random: digest }) });
  return `${resource}/${field}/${month}/${id}-${fileName}`;
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, "");
}

function cut(name: string, max: number): string {
  return name.slice(0, max) || "file";
}
