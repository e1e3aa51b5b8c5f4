/** The part of pino's logger that delivery uses. */
export interface MailLog {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The parts of a mail that may be logged: never its content. */
export interface LoggedMail {
  readonly email: string;
  readonly kind: string;
}

function about({ email, kind }: LoggedMail): { readonly to: string; readonly kind: string } {
  return { to: email, kind };
}

export function logSent(log: MailLog, mail: LoggedMail): void {
  log.debug(about(mail), "A mail was sent");
}

/** Logs that a mail will be attempted again; `wait` is in seconds. */
export function logRetry(
  log: MailLog,
  mail: LoggedMail,
  { reason, wait: seconds }: { reason: string; wait: number },
): void {
  const wait = Math.round(seconds * 1000);
  log.warn({ ...about(mail), reason, wait }, "A mail will be sent again");
}

/** Logs that a mail was given up. */
export function logLoss(log: MailLog, mail: LoggedMail, reason: string): void {
  log.warn({ ...about(mail), reason }, "A mail was not sent");
}

/** Milliseconds between two lines about a full queue: refused requests are not logged one by one. */
const fullQueuePauseMs = 60_000;

/**
 * Logs that a queue is full, for mails and decoys alike: logging the former only would take measurably longer,
 * and refused requests are not rate limited.
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

/** An error's message, for the log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "an unknown failure";
}
