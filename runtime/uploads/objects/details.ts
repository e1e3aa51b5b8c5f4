import type { Config } from "../../config/index.js";
import type { PlacedObject } from "./place.js";

/** A stored file as the API shows it: an upload's response, and `<field>File` of a record. */
export interface FileDetails {
  /** `<resource>/<field>/<year>/<month>/<uuid>-<filename>` */
  readonly key: string;
  readonly url: string;
  readonly name: string;
  /** The stored media type. */
  readonly mime: string;
  /** Bytes. */
  readonly size: number;
  /** Pixels; null if the file is not an image. */
  readonly width: number | null;
  readonly height: number | null;
  readonly optimised: boolean;
  readonly renditions: Readonly<Record<string, Rendition>>;
}

/** The details of a file that is stored unchanged. */
export function unchangedDetails(
  config: Pick<Config, "uploads">,
  { key, isPrivate }: PlacedObject,
  file: Pick<FileDetails, "name" | "mime" | "size">,
): FileDetails {
  return {
    key,
    url: objectUrl(config, { key, isPrivate }),
    ...file,
    width: null,
    height: null,
    optimised: false,
    renditions: {},
  };
}

export interface Rendition {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly size: number;
}

/** The URL at which clients download an object: from this server, or directly from the bucket if it is public. */
export function objectUrl(
  { uploads: { storage } }: Pick<Config, "uploads">,
  { key, isPrivate }: PlacedObject,
): string {
  if (isPrivate) return servedPath(key);
  const { publicUrl } = storage.driver === "s3" ? storage : { publicUrl: null };
  return publicUrl === null ? servedPath(key) : `${publicUrl}/${key}`;
}

/** The path at which this server serves an object. */
export function servedPath(key: string): string {
  return `/api/_service/files/${key}`;
}
