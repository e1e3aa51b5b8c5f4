/** Suffixes by which proxies name the coding of a body that they have compressed, before the tag's closing quote. */
const coding = /(?:--?(?:x-gzip|gzip|br|zstd|deflate|compress)|;[^"]*)"$/i;

/**
 * The tag that the server sent, of what a compressing proxy made of it: `"x"` for `W/"x"` (nginx, Cloudflare), `"x-gzip"`
 * (Apache, Caddy) and `"x;br"`. Our tags stand for a record or a file and not for the bytes of an answer, so all of these
 * are the same tag. Other tags stay as they are.
 */
export function originalTag(tag: string): string {
  return tag.replace(/^W\//, "").replace(coding, '"');
}
