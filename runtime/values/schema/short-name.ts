import { createHash } from "node:crypto";

/** A name for PostgreSQL, which truncates at 63 bytes: a longer one ends in a hash of the whole. */
export function shortName(name: string): string {
  return cutName(name, maxBytes);
}

/** Names are ASCII here: a byte per character. */
const maxBytes = 63;

/** A name of at most `max` characters; a longer one ends in a hash of the whole. */
export function cutName(name: string, max: number): string {
  if (name.length <= max) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 10);
  const beginning = name.slice(0, max - hash.length - 1).replace(/_+$/, "");
  return `${beginning}_${hash}`;
}
