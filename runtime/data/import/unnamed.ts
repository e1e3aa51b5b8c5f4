import { isEmail } from "../../values/addresses/email-and-url.js";

/** Maximum length of a name; longer ones are values, or useless in a message. */
const longest = 100;

/** Patterns of hashes, including kinds that cannot be imported; column names hardly ever match. */
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

/** The names of columns in a form that is safe for messages. */
export interface PrintedNames {
  /** Whether they are column names rather than the values of a row. */
  readonly isHeader: boolean;
  nameOf(place: number): string;
}

/**
 * Names of unknown columns or keys for messages; hashes are never printed. If no column is known and
 * a name looks like a hash or an address, the first row is not a header, and no column is named.
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
