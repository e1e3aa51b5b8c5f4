import type { Config } from "../config/index.js";
import { composeLetter } from "./compose.js";
import { developmentLines } from "./development.js";
import type { Message } from "./message.js";
import { type MailLog, openQueue } from "./queue.js";
import { openTransport } from "./smtp.js";

/** Sends mail in the background: no request waits for a mail server, or fails with one. */
export interface Mailer {
  /** Returns at once and never throws; what becomes of the mail is told in the log only. */
  send(message: Message): void;
  /** Waits for the mails under way, at most some seconds. */
  close(): Promise<void>;
}

/** What a mailer stands on. */
export interface MailerOptions {
  readonly config: Pick<Config, "app" | "environment" | "mailer">;
  /** Hears of mails that were not sent. */
  readonly log: MailLog;
}

/** The configured mailer. It opens no connection before the first mail. */
export function openMailer({ config, log }: MailerOptions): Mailer {
  const mailer = config.mailer.driver === "none" ? silent : openSmtp(config, config.mailer, log);
  return config.environment === "development" ? printing(mailer) : mailer;
}

const silent: Mailer = { send() {}, async close() {} };

function openSmtp(
  { app }: Pick<Config, "app">,
  { from, url }: { readonly from: string; readonly url: string },
  log: MailLog,
): Mailer {
  const transport = openTransport({ from, url });
  const queue = openQueue({
    prepare: (message) => {
      const mail = transport.address(message.to, composeLetter(message, app.name));
      return () => transport.deliver(mail);
    },
    cut: transport.cut,
    log,
  });
  return {
    send: queue.add,
    async close() {
      await queue.close();
      transport.close();
    },
  };
}

/** Whoever develops an app needs no mail server to sign in. */
function printing(mailer: Mailer): Mailer {
  return {
    ...mailer,
    send(message) {
      for (const line of developmentLines(message)) process.stdout.write(`${line}\n`);
      mailer.send(message);
    },
  };
}
