import { isEmail } from "../../values/addresses/email-and-url.js";

/** An email of app code. */
export interface AppMessage {
  /** One address, or up to 50. Each recipient sees all of them. */
  readonly to: string | readonly string[];
  /** One line of at most 200 characters. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** One address; without it, replies go to the sender of the app's emails. */
  readonly replyTo?: string;
}

/** An email of app code as stored. */
export interface StoredAppMessage {
  readonly kind: typeof appKind;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly replyTo: string | null;
}

/** The kind of emails of app code, and the name of their queue. */
export const appKind = "own";

/**
 * The maximum number of recipients: every mail server accepts it (RFC 5321 §4.5.3.1.8 requires 100), and it is too
 * small for a mailing list.
 */
const maxAddresses = 50;

/** Limit in code points; mail programs truncate longer subjects. */
const maxSubject = 200;

/** Limit of text and HTML in bytes: Gmail clips emails at 102 kB, and the queue holds thousands. */
const maxBytes = 256 * 1024;

/** Returns the email as stored. Throws, without quoting the email, if it exceeds a limit. */
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

/** Whether the subject is one line: a line break would start another header. */
function isLine(subject: string): boolean {
  const length = [...subject].length;
  return subject.trim() !== "" && length <= maxSubject && !/[\p{Cc}\u2028\u2029]/u.test(subject);
}

function misfit(key: keyof AppMessage, problem: string): never {
  throw new TypeError(`mail.send: "${key}" ${problem}`);
}
