import { isEmail } from "../../values/addresses/email-and-url.js";

/** Longer names are values, or useless in a message. */
const longest = 100;

/** What hashes look like, also those of kinds that cannot be imported; hardly any name of a column does. */
const hashes = [
  // crypt, PHC, Django, phpass, Werkzeug
  /\$.*\$/s,
  // LDAP
  /^\{[a-z0-9-]+\}/i,
  // MD5, SHA, MySQL, better-auth
  /[0-9a-f]{16}/i,
  // Base64
  /^(?=.*[0-9+/=])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_-]{22,}={0,2}$/,
];

function looksLikeHash(name: string): boolean {
  return name.length > longest || hashes.some((hash) => hash.test(name));
}

/** What columns are called in messages. */
export interface PrintedNames {
  /** Whether the names are those of columns, not the values of a row. */
  readonly isHeader: boolean;
  nameOf(place: number): string;
}

/**
 * What unknown columns, or keys, are called in messages: their names, but for a hash, which is printed nowhere. If none of the
 * columns is known and one looks like a hash or an address, the first row is no header, and none is called by its name.
 */
export function namesToPrint(
  names: readonly string[],
  isKnown: (name: string) => boolean,
): PrintedNames {
  const isHeader =
    names.some(isKnown) || !names.some((name) => looksLikeHash(name) || isEmail(name));
  return {
    isHeader,
    nameOf(place) {
      const name = names[place] ?? "";
      return isKnown(name) || (isHeader && !looksLikeHash(name)) ? name : `column ${place + 1}`;
    },
  };
}
