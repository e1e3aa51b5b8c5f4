/** Suffixes that proxies add before the closing quote of a tag for the content coding. */
const coding = /(?:--?(?:x-gzip|gzip|br|zstd|deflate|compress)|;[^"]*)"$/i;

/**
 * The server's tag before a compressing proxy changed it: `"x"` for `W/"x"` (nginx, Cloudflare), `"x-gzip"` (Apache,
 * Caddy) and `"x;br"`. Our tags identify a record or a file, not the bytes of a response, so all of these are equal.
 * Other tags are returned unchanged.
 */
export function originalTag(tag: string): string {
  return tag.replace(/^W\//, "").replace(coding, '"');
}
