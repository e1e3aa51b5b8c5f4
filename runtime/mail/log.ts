/** Where the mail's fate is told; a part of pino's logger. */
export interface MailLog {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** What a log may know of a mail: never what is in it. */
export interface Told {
  readonly email: string;
  readonly kind: string;
}

function about({ email, kind }: Told): { readonly to: string; readonly kind: string } {
  return { to: email, kind };
}

export function tellSent(log: MailLog, mail: Told): void {
  log.debug(about(mail), "A mail was sent");
}

/** `wait`: seconds until the next try. */
export function tellRetry(log: MailLog, mail: Told, told: { reason: string; wait: number }): void {
  const wait = Math.round(told.wait * 1000);
  log.warn({ ...about(mail), reason: told.reason, wait }, "A mail is tried again");
}

/** The mail is given up. */
export function tellLoss(log: MailLog, mail: Told, reason: string): void {
  log.warn({ ...about(mail), reason }, "A mail was not sent");
}

/** Milliseconds between two lines on a queue that is full: requests that are refused write none each. */
const pauseOfFull = 60_000;

/**
 * Tells that mails find no place in a queue, whether they are for somebody or nobody: a line for the former
 * only would take longer, and requests that are refused are not counted.
 */
export function fullTeller(log: MailLog): (queue: string) => void {
  const quietUntil = new Map<string, number>();
  return (queue) => {
    const now = performance.now();
    if (now < (quietUntil.get(queue) ?? 0)) return;
    quietUntil.set(queue, now + pauseOfFull);
    log.warn({ queue }, "Mails are refused, since too many are waiting");
  };
}

/** An error's sentence, for the log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "an unknown failure";
}
