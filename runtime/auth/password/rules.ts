import type { Config } from "../../config/index.js";
import { type RefusalCode, refuse } from "../../errors/index.js";
import { isBreached } from "./breach.js";

/** Code points after NFKC normalization. */
export const passwordMinLength = 8;
const passwordMaxLength = 256;

// UTF-16 code units before normalization, which takes quadratic time for many combining marks. No 256 code points in
// NFKC come from a longer text.
const maxInputLength = 4096;

/**
 * The form in which passwords are compared (NFKC, never trimmed). Null for a text that is too long or has unpaired
 * surrogates, which UTF-8 would all encode identically.
 */
export function comparablePassword(password: string): string | null {
  if (password.length > maxInputLength || !password.isWellFormed()) return null;
  const normalised = password.normalize("NFKC");
  return lengthOf(normalised) > passwordMaxLength ? null : normalised;
}

export interface NewPassword {
  readonly password: string;
  readonly path: string;
}

/**
 * Returns the comparable form of a new password. Refuses a password that is too short, too long, contains a forbidden
 * word or, if the configuration enables the check, is on the public breach list.
 */
export async function acceptNewPassword(config: Config, given: NewPassword): Promise<string> {
  const comparable = acceptPasswordForm(given);
  const { forbiddenPasswordWords } = config.auth;
  const letters = caseless(comparable);
  const word = forbiddenPasswordWords.find((one) => letters.includes(caseless(one)));
  if (word !== undefined) refusePassword("INVALID", given.path, `Must not contain "${word}"`);
  if (config.auth.checkBreachedPasswords && (await isBreached(config.breachUrl, comparable))) {
    refusePassword(
      "PASSWORD_COMPROMISED",
      given.path,
      "Choose one that is not in a list of stolen passwords",
    );
  }
  return comparable;
}

/**
 * Returns the text in upper case, which equates more letters than lower case: `σ` and `ς`, and the Turkish `i` with and
 * without its dot. `ß` becomes two letters.
 */
function caseless(text: string): string {
  return text.toLowerCase().toUpperCase().replaceAll("I\u0307", "I");
}

/** Returns the comparable form of a new password. Refuses a password that is too short or too long. */
export function acceptPasswordForm({ password, path }: NewPassword): string {
  if (!password.isWellFormed()) refusePassword("INVALID", path, "Must be Unicode text");
  const comparable = comparablePassword(password);
  if (comparable === null) {
    return refusePassword(
      "PASSWORD_TOO_LONG",
      path,
      `Must have at most ${passwordMaxLength} characters`,
    );
  }
  if (lengthOf(comparable) < passwordMinLength) {
    refusePassword(
      "PASSWORD_TOO_SHORT",
      path,
      `Must have at least ${passwordMinLength} characters`,
    );
  }
  return comparable;
}

function refusePassword(code: RefusalCode, path: string, message: string): never {
  return refuse(code, { issues: [{ path, message }] });
}

function lengthOf(text: string): number {
  return [...text].length;
}
