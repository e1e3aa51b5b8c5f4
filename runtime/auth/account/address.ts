import { uniqueViolation } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { asciiDomain } from "../../values/addresses/email-and-url.js";

// RFC 5321 §4.5.3.1.3, without the angle brackets of a path.
const maxAddressLength = 254;

const dotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * Normalizes an email address to the form in which it is stored, compared, displayed and used for mail: trimmed, NFC,
 * lower case, domain in punycode. Tags and dots are preserved. Returns null for anything else, including quoted and
 * non-ASCII local parts and bare IP addresses.
 */
export function normaliseAddress(text: string): string | null {
  const trimmed = text.trim();
  // Normalizing a long sequence of combining marks takes quadratic time.
  if (trimmed.length > 4 * maxAddressLength) return null;
  const plain = trimmed.normalize("NFC").toLowerCase();
  const at = plain.lastIndexOf("@");
  const local = plain.slice(0, Math.max(at, 0));
  const domain = asciiDomain(plain.slice(at + 1));
  if (!dotAtom.test(local) || domain === null) return null;
  const address = `${local}@${domain}`;
  return address.length <= maxAddressLength ? address : null;
}

/**
 * Runs a change of an address. Refuses it with 409, like a registration, if another account has just taken the address.
 */
export async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (uniqueViolation(error) !== "users_email_key") throw error;
    return refuse("USER_ALREADY_EXISTS", { status: 409, field: "email" });
  }
}

/** Refuses an address that already has an account. */
export function refuseTaken(): never {
  return refuse("USER_ALREADY_EXISTS", {
    issues: [{ path: "email", message: "Already has an account" }],
  });
}
