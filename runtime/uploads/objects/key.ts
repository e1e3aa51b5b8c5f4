import { v7 as uuid } from "uuid";

/** The most characters of a file's name that its key keeps. */
const maxCharacters = 100;
const webp = ".webp";

export interface NewKey {
  readonly resource: string;
  readonly field: string;
  /** The file's name as sent. */
  readonly name: string;
}

/** A new storage key: `<resource>/<field>/<year>/<month>/<uuid>-<filename>`. */
export function newFileKey(made: NewKey, now: Date): string {
  return keyOf(made, now, cut(plain(made.name), maxCharacters));
}

/** A new storage key of a picture, which ends in `.webp` whatever was uploaded. */
export function newImageKey(made: NewKey, now: Date): string {
  const stem = plain(made.name).replace(/\.[^.]*$/, "");
  return keyOf(made, now, cut(stem, maxCharacters - webp.length) + webp);
}

/**
 * The key of a picture's rendition: `…-photo.webp` → `…-photo.thumb.webp`; with a version, for a rendition
 * that was made again, `…-photo.thumb.1f2e3d4c.webp`.
 */
export function renditionKey(key: string, rendition: string, version: string | null): string {
  const suffix = version === null ? rendition : `${rendition}.${version}`;
  return `${key.slice(0, -webp.length)}.${suffix}${webp}`;
}

function keyOf({ resource, field }: NewKey, now: Date, fileName: string): string {
  const month = now.toISOString().slice(0, 7).replace("-", "/");
  return `${resource}/${field}/${month}/${uuid({ msecs: now.getTime() })}-${fileName}`;
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, "");
}

function cut(name: string, max: number): string {
  return name.slice(0, max) || "file";
}
