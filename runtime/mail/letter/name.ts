/** Limit in code points; a greeting is one line. */
const maxNameLength = 60;

/**
 * Makes a name safe to show in an email: one line without bidirectional control characters, which would reverse the
 * text after it.
 */
export function plainName(name: string): string {
  const line = name.replaceAll(/\p{Bidi_Control}/gu, "").replaceAll(/[\p{Cc}\p{Z}]+/gu, " ");
  return [...line.trim()].slice(0, maxNameLength).join("").toWellFormed().trim();
}

/**
 * The name for the greeting; null if it should not be shown. Anyone can register another person's address under a name
 * such as "You have won: evil.example", which mail programs turn into a link.
 */
export function greetableName(name: string | null): string | null {
  const plain = plainName(name ?? "");
  return plain === "" || advertising.test(plain) ? null : plain;
}

const advertising = /[/\\:@]|[.\u3002\uff0e\uff61][\p{L}\p{N}]{2}|www/iu;
