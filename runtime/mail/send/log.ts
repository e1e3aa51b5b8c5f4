/** The part of pino's logger that delivery uses. */
export interface MailLog {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The parts of an email that may be logged: never its content. */
export interface LoggedMail {
  readonly id: string;
  readonly email: string;
  readonly kind: string;
}

/**
 * Identifies an email for the log. Addresses are personal data, and logs are copied and archived, so the address is
 * shortened. The id, with which `Message-ID` begins, and the domain identify the email in the mail server's log.
 */
function about({ id, email, kind }: LoggedMail): {
  readonly mail: string;
  readonly to: string;
  readonly kind: string;
} {
  return { mail: id, to: shortAddress(email), kind };
}

/** Returns `a…@example.com`. */
function shortAddress(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf("@"))}`;
}

export function logSent(log: MailLog, mail: LoggedMail): void {
  log.debug(about(mail), "A mail was sent");
}

/** Logs that an email will be retried in `wait` seconds. */
export function logRetry(
  log: MailLog,
  mail: LoggedMail,
  { reason, wait: seconds }: { reason: string; wait: number },
): void {
  const wait = Math.round(seconds * 1000);
  log.warn({ ...about(mail), reason, wait }, "A mail will be retried");
}

/** Logs that an email will not be retried. */
export function logLoss(log: MailLog, mail: LoggedMail, reason: string): void {
  log.warn({ ...about(mail), reason }, "A mail was not sent");
}

/** Milliseconds between log lines about a full queue: refused requests are not logged individually. */
const fullQueuePauseMs = 60_000;

/**
 * Logs that a queue is full, for emails and decoys alike: logging only emails would take measurably longer, and refused
 * requests are not rate limited.
 */
export function newFullQueueLogger(log: MailLog): (queue: string) => void {
  const quietUntil = new Map<string, number>();
  return (queue) => {
    const now = performance.now();
    if (now < (quietUntil.get(queue) ?? 0)) return;
    quietUntil.set(queue, now + fullQueuePauseMs);
    log.warn({ queue }, "Mails are refused because their queue is full");
  };
}
