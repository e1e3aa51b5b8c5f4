import { hash } from "node:crypto";

/** Hexadecimal digits of an entity tag: 128 bits. */
export const tagDigits = 32;

/**
 * The entity tag of a text, a hexadecimal digest: if a tag could end in a dash, the `-gzip` that proxies add would be
 * ambiguous.
 */
export function contentTag(text: string): string {
  return `"${hash("sha256", text, "hex").slice(0, tagDigits)}"`;
}
