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

/** The mail found no place in its queue. */
export function tellFull(log: MailLog, { to, kind }: { to: string; kind: string }): void {
  log.warn({ to, kind, reason: "too many mails are waiting" }, "A mail was not stored");
}

/** An error's sentence, for the log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "an unknown failure";
}
