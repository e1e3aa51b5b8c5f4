/** Code points; a greeting is one line. */
const longest = 60;

/**
 * A name as it may stand in a mail: one line, and written in the direction of its letters only.
 * Characters that turn the direction around would turn the words after it, too.
 */
export function plainName(name: string): string {
  const line = name.replaceAll(/\p{Bidi_Control}/gu, "").replaceAll(/[\p{Cc}\p{Z}]+/gu, " ");
  return [...line.trim()].slice(0, longest).join("").toWellFormed().trim();
}

/**
 * Whom to greet; null when the name should not stand in a mail. Anybody may register anybody's address
 * under a name such as "You have won: evil.example", which mail programs make a link of.
 */
export function greetableName(name: string | null): string | null {
  const plain = plainName(name ?? "");
  return plain === "" || advertises.test(plain) ? null : plain;
}

const advertises = /[/\\:@]|[.\u3002\uff0e\uff61][\p{L}\p{N}]{2}|www/iu;
