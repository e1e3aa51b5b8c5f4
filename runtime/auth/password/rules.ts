import type { Config } from "../../config/index.js";
import { type RefusalCode, refuse } from "../../errors/index.js";
import { isBreached } from "./breach.js";

/** Code points, after NFKC. */
export const passwordMinLength = 8;
const passwordMaxLength = 256;

// Normalising many combining marks takes quadratic time. No 256 code points in NFKC have a form
// that is this long.
const longestForm = 4096;

/**
 * The form in which passwords are compared (NFKC, never trimmed); null for one too long to be one, and for
 * one with halves of characters, of which UTF-8 would make all the same.
 */
export function comparablePassword(password: string): string | null {
  if (password.length > longestForm || !password.isWellFormed()) return null;
  const normalised = password.normalize("NFKC");
  return lengthOf(normalised) > passwordMaxLength ? null : normalised;
}

/** A password that somebody chose, and the key that it was sent under. */
export interface NewPassword {
  readonly password: string;
  readonly path: string;
}

/**
 * The comparable form of a new password. Refuses one that is too short, too long, or on the public
 * breach list when the configuration asks for that.
 */
export async function acceptNewPassword(config: Config, given: NewPassword): Promise<string> {
  const comparable = acceptPasswordForm(given);
  if (config.auth.checkBreachedPasswords && (await isBreached(config.breachUrl, comparable))) {
    refusePassword(
      "PASSWORD_COMPROMISED",
      given.path,
      "Choose one that is in no list of stolen passwords",
    );
  }
  return comparable;
}

/** The comparable form of a new password. Refuses one that is too short or too long. */
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
