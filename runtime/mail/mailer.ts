import type { Config } from "../config/index.js";
import type { Database, Transaction } from "../db/index.js";
import { composeLetter } from "./compose.js";
import { type Delivery, openDelivery } from "./delivery.js";
import { developmentLines } from "./development.js";
import { fullTeller, type MailLog, reasonOf } from "./log.js";
import type { Message } from "./message.js";
import { type NobodysMail, openMail, storeMail, storeNobodysMail } from "./outbox.js";
import { queueOf } from "./queues.js";
import { openTransport } from "./smtp.js";
import { deleteExpired } from "./store.js";

/**
 * Keeps mails in the database, with what they belong to, and sends them in the background: no request waits
 * for a mail server or fails with one, and nothing is lost with a process.
 */
export interface Mailer {
  /**
   * Stores a mail, which leaves when the transaction is committed. False, and nothing is stored, where too
   * many of its queue wait.
   */
  send(tx: Transaction, message: Message): Promise<boolean>;
  /** The same work, with the same answer, for an address that is to get no mail of that kind. */
  pretend(tx: Transaction, mail: NobodysMail): Promise<boolean>;
  /** Begins to send what is stored, by whichever process. */
  start(): void;
  /** Waits for the mails under way, at most some seconds; the database must still be open. */
  close(): Promise<void>;
}

/** What a mailer stands on. */
export interface MailerOptions {
  readonly config: Pick<Config, "app" | "environment" | "mailer" | "secret" | "previousSecret">;
  readonly db: Database;
  /** Hears of mails that were not sent. */
  readonly log: MailLog;
}

/** The configured mailer. It opens no connection to the mail server before the first mail. */
export function openMailer(options: MailerOptions): Mailer {
  const { config } = options;
  const mailer =
    config.mailer.driver === "none" ? openSilent(options) : openSmtp(options, config.mailer);
  return config.environment === "development" ? printing(mailer) : mailer;
}

/** Milliseconds between looks for what was stored under another driver and is over. */
const tidying = 60_000;

/** Sends nothing. What was stored while mails were sent goes when its time is over. */
function openSilent({ db, log }: MailerOptions): Mailer {
  let timer: NodeJS.Timeout | undefined;

  async function tidy(): Promise<void> {
    try {
      await deleteExpired(db);
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, "Expired mails cannot be deleted");
    }
  }

  return {
    send: async () => true,
    pretend: async () => true,
    start() {
      timer = setInterval(() => void tidy(), tidying).unref();
    },
    async close() {
      clearInterval(timer);
    },
  };
}

function openSmtp(
  { config, db, log }: MailerOptions,
  { from, url }: { readonly from: string; readonly url: string },
): Mailer {
  const transport = openTransport({ from, url });
  const delivery = openDelivery({
    db,
    send: async (mail) => {
      const message = openMail(config, mail);
      const letter = composeLetter(message, config.app.name);
      await transport.deliver(transport.address(message.to, letter, mail.id));
    },
    cut: transport.cut,
    log,
  });
  const tellFull = fullTeller(log);
  return {
    send: async (tx, message) => {
      const isStored = await storeMail(tx, config, message);
      if (isStored) tx.afterCommit(delivery.wake);
      else tellFull(queueOf[message.kind]);
      return isStored;
    },
    pretend: async (tx, mail) => {
      const isStored = await storeNobodysMail(tx, config, mail);
      if (isStored) tx.afterCommit(delivery.wake);
      else tellFull(queueOf[mail.kind]);
      return isStored;
    },
    start: delivery.start,
    close: () => closeBoth(delivery, transport),
  };
}

async function closeBoth(delivery: Delivery, transport: { close(): void }): Promise<void> {
  await delivery.close();
  transport.close();
}

/** Whoever develops an app needs no mail server to sign in. */
function printing(mailer: Mailer): Mailer {
  return {
    ...mailer,
    send: async (tx, message) => {
      const isStored = await mailer.send(tx, message);
      tx.afterCommit(() => {
        for (const line of developmentLines(message)) process.stdout.write(`${line}\n`);
      });
      return isStored;
    },
  };
}
