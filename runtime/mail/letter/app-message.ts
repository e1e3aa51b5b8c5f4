import { isEmail } from "../../values/addresses/email-and-url.js";

/** An email of app code. */
export interface AppMessage {
  /** One address, or up to 50, all of which every recipient sees. */
  readonly to: string | readonly string[];
  /** One line of at most 200 characters. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** One address; without it, replies go to the sender of all emails. */
  readonly replyTo?: string;
}

/** An email of app code as it is stored. */
export interface StoredAppMessage {
  readonly kind: typeof appKind;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly replyTo: string | null;
}

/** The kind, and the queue, of emails of app code. */
export const appKind = "own";

/**
 * A number that every mail server accepts (RFC 5321 §4.5.3.1.8 requires 100), and that is too small
 * for a mailing list.
 */
const maxAddresses = 50;

/** Code points; mail programs truncate longer ones. */
const maxSubject = 200;

/** Bytes of text and HTML: Gmail clips emails at 102 kB, and the queue holds thousands. */
const maxBytes = 256 * 1024;

/** The email as it is stored. Throws, without quoting the email, if it exceeds a limit. */
export function checkAppMessage({
  to,
  subject,
  text,
  html,
  replyTo,
}: AppMessage): StoredAppMessage {
  const addresses = typeof to === "string" ? [to] : to;
  if (!Array.isArray(addresses) || addresses.length === 0 || addresses.length > maxAddresses) {
    return misfit("to", `must be a list of 1 to ${maxAddresses} addresses`);
  }
  const wrong = addresses.findIndex((address) => typeof address !== "string" || !isEmail(address));
  if (wrong !== -1) return misfit("to", `must be email addresses; number ${wrong + 1} is not one`);
  if (typeof subject !== "string" || !isLine(subject)) {
    return misfit("subject", `must be one line of 1 to ${maxSubject} characters`);
  }
  if (typeof text !== "string" || text === "") return misfit("text", "must be text");
  if (html !== undefined && typeof html !== "string") return misfit("html", "must be text");
  if (Buffer.byteLength(text) + Buffer.byteLength(html ?? "") > maxBytes) {
    return misfit("text", `and html must be at most ${maxBytes / 1024} kB together`);
  }
  if (replyTo !== undefined && (typeof replyTo !== "string" || !isEmail(replyTo))) {
    return misfit("replyTo", "must be an email address");
  }
  const shown = { subject, text, html: html ?? null, replyTo: replyTo ?? null };
  return { kind: appKind, to: [...new Set(addresses)], ...shown };
}

/** A line break would begin another header. */
function isLine(subject: string): boolean {
  const length = [...subject].length;
  return subject.trim() !== "" && length <= maxSubject && !/[\p{Cc}\u2028\u2029]/u.test(subject);
}

function misfit(key: keyof AppMessage, problem: string): never {
  throw new TypeError(`mail.send: "${key}" ${problem}`);
}
