import { createHash } from "node:crypto";

/** Shortens a name to the 63 bytes that PostgreSQL stores; a longer name is cut and ends in a hash of the whole. */
export function shortName(name: string): string {
  return cutName(name, maxNameBytes);
}

/** PostgreSQL's limit for names. Names that the tool generates are ASCII, with one byte per character. */
export const maxNameBytes = 63;

/** A name of at most `max` characters; a longer one is cut and ends in a hash of the whole. */
export function cutName(name: string, max: number): string {
  return name.length <= max ? name : hashedName(name, { beginning: name, max });
}

/**
 * The name of a table or column for use in other names: lower-case letters, digits and single underscores. Any other
 * name is reduced to these, followed by a hash of the whole: `Artist` → `artist_1f2e3d4c5b`. The temporary name of a
 * swapped table or column stays unchanged.
 */
export function plainName(name: string): string {
  if (/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*(?:__moving)?$/.test(name)) return name;
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return hashedName(name, { beginning: words.join("_"), max: maxNameBytes });
}

function hashedName(
  name: string,
  { beginning, max }: { readonly beginning: string; readonly max: number },
): string {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, hashLength);
  const kept = beginning.slice(0, max - hashLength - 1).replace(/_+$/, "");
  return kept === "" ? `n_${hash}` : `${kept}_${hash}`;
}

const hashLength = 10;
