import type { ObjectHeaders } from "../storage/headers.js";
import type { FileDetails } from "./details.js";

/** The object of a key never changes, so clients need not revalidate public ones. */
export const publicCacheControl = "public, max-age=31536000, immutable";

/** A private object is revalidated at each use, unless a response states how long its URL is valid. */
export const privateCacheControl = "private, no-cache";

/** Types that browsers may show inline; all others are downloads. */
const shown = /^(?:image|audio|video)\/|^application\/pdf$/;

/** Options of how a file is served. */
export interface Serving {
  readonly isPrivate: boolean;
  /** Whether the file is always downloaded. */
  readonly isAttachment: boolean;
}

/** The headers of an object, on this server and in a bucket. */
export function objectHeaders(
  file: Pick<FileDetails, "mime" | "name" | "optimised">,
  { isPrivate, isAttachment }: Serving,
): ObjectHeaders {
  const { mime } = file;
  const isShown = shown.test(mime) && !isAttachment;
  return {
    contentType: mime.startsWith("text/") ? "text/plain; charset=utf-8" : mime,
    contentDisposition: disposition(isShown ? "inline" : "attachment", savedAs(file)),
    cacheControl: isPrivate ? privateCacheControl : publicCacheControl,
  };
}

/**
 * The name under which a browser saves the file: without folders, without characters that reverse text and disguise an
 * extension ("gpj.exe"), and with `.webp` for a converted picture.
 */
function savedAs({ name, optimised }: Pick<FileDetails, "name" | "optimised">): string {
  const plain = name
    .replace(/^.*[/\\]/su, "")
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
  if (!optimised) return plain || "file";
  return `${plain.replace(/\.[^.]*$/, "") || "file"}.webp`;
}

/** `Content-Disposition` with the name twice: in ASCII, and unchanged (RFC 6266 §4.3, RFC 8187). */
function disposition(type: "inline" | "attachment", name: string): string {
  const ascii = name.replace(/[^ -~]/gu, "_").replace(/["\\%]/g, "_");
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encodeName(name)}`;
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
