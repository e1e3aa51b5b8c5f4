import { hash } from "node:crypto";

/** Hexadecimal digits of a tag: 128 bits. */
export const tagDigits = 32;

/**
 * The entity tag of a text. Its digest is hexadecimal: proxies add `-gzip`, which could not be told from the end of a
 * tag that ends in a dash.
 */
export function contentTag(text: string): string {
  return `"${hash("sha256", text, "hex").slice(0, tagDigits)}"`;
}
