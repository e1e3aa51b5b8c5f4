import type { Config } from "../config/index.js";
import type { Database, Transaction } from "../db/index.js";
import { reasonOf, refuse } from "../errors/index.js";
import { appMessageLines, developmentLines } from "./development.js";
import { type AppMessage, appKind, checkAppMessage } from "./letter/app-message.js";
import { composeMail } from "./letter/compose.js";
import type { Message } from "./letter/message.js";
import { storeAppMessage } from "./queue/app-message.js";
import { type Decoy, decryptMail, storeDecoy, storeMail } from "./queue/outbox.js";
import { type MailPriority, queueOf } from "./queue/queues.js";
import { deleteExpired } from "./queue/store.js";
import { deliverAppMessage } from "./send/app-message.js";
import { type Delivery, openDelivery } from "./send/delivery.js";
import { type MailLog, newFullQueueLogger } from "./send/log.js";
import { openTransport } from "./send/smtp.js";

/**
 * Stores emails in the transaction of the change that causes them, and sends them in the background. Requests neither
 * wait for the mail server nor fail with it, and no email is lost if a process dies.
 */
export interface Mailer {
  /**
   * Stores an email to be sent once the transaction commits. Returns false and stores nothing if its queue is full.
   * `low` is for unverified addresses.
   */
  send(tx: Transaction, message: Message, priority?: MailPriority): Promise<boolean>;
  /** Does the same work, with the same result, for an address that must not get an email. */
  sendDecoy(tx: Transaction, mail: Decoy): Promise<boolean>;
  /**
   * Stores an email of app code to be sent once the transaction commits. If no mail server is configured, prints the
   * email in development and throws elsewhere. Throws if the email exceeds a limit, and a 503 if the queue is full.
   */
  sendAppMessage(tx: Transaction, mail: AppMessage): Promise<void>;
  /** Starts sending stored emails, including those of other processes. */
  start(): void;
  /** Waits some seconds for emails being sent; the database must still be open. */
  close(): Promise<void>;
}

/** Dependencies of a mailer. */
export interface MailerOptions {
  readonly config: Pick<Config, "app" | "environment" | "mailer" | "secret" | "previousSecret">;
  readonly db: Database;
  /** Gets a line for each email that was not sent. */
  readonly log: MailLog;
}

/** Creates the configured mailer, which does not connect to the mail server before the first email. */
export function openMailer(options: MailerOptions): Mailer {
  const { config } = options;
  const mailer =
    config.mailer.driver === "none"
      ? newSilentMailer(options)
      : newSmtpMailer(options, config.mailer);
  return config.environment === "development" ? printingMailer(mailer) : mailer;
}

/** Milliseconds between deletions of expired emails that were stored while another driver was configured. */
const tidyMs = 60_000;

/** Seconds for `Retry-After`: a full queue takes a while to empty. */
const fullQueueSeconds = 60;

/** Sends nothing, but deletes expired emails that were stored while another driver was configured. */
function newSilentMailer({ config, db, log }: MailerOptions): Mailer {
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
    sendDecoy: async () => true,
    sendAppMessage: async (tx, mail) => {
      const checked = checkAppMessage(mail);
      if (config.environment !== "development") {
        throw new Error(
          "mail.send: there is no mail server; set mailer.driver, or SERVICE_MAIL_URL",
        );
      }
      tx.afterCommit(() => print(appMessageLines(checked)));
    },
    start() {
      timer = setInterval(() => void tidy(), tidyMs).unref();
    },
    async close() {
      clearInterval(timer);
    },
  };
}

function newSmtpMailer(
  { config, db, log }: MailerOptions,
  { from, url }: { readonly from: string; readonly url: string },
): Mailer {
  const transport = openTransport({ from, url });
  const delivery = openDelivery({
    db,
    send: async (mail) => {
      const message = decryptMail(config, mail);
      if (message.kind === appKind) {
        await deliverAppMessage({ transport, db, config, log }, mail, message);
        return;
      }
      const composed = composeMail(message, config.app.name);
      await transport.deliver(transport.address(message.to, composed, mail.id));
    },
    cut: transport.cut,
    log,
  });
  const logFullQueue = newFullQueueLogger(log);
  const refuseFull = () => {
    logFullQueue(appKind);
    refuse("UNAVAILABLE", { retryAfter: fullQueueSeconds });
  };
  return {
    send: async (tx, message, priority = "normal") => {
      const isStored = await storeMail(tx, config, { message, priority });
      if (isStored) tx.afterCommit(delivery.wake);
      else logFullQueue(queueOf[message.kind]);
      return isStored;
    },
    sendDecoy: async (tx, mail) => {
      const isStored = await storeDecoy(tx, config, mail);
      if (isStored) tx.afterCommit(delivery.wake);
      else logFullQueue(queueOf[mail.kind]);
      return isStored;
    },
    sendAppMessage: async (tx, mail) => {
      if (await storeAppMessage(tx, checkAppMessage(mail), { secrets: config }))
        tx.afterCommit(delivery.wake);
      else refuseFull();
    },
    start: delivery.start,
    close: () => closeBoth(delivery, transport),
  };
}

async function closeBoth(delivery: Delivery, transport: { close(): void }): Promise<void> {
  await delivery.close();
  transport.close();
}

/** Prints codes and links, so that sign-in during development needs no mail server. */
function printingMailer(mailer: Mailer): Mailer {
  return {
    ...mailer,
    send: async (tx, message, priority) => {
      const isStored = await mailer.send(tx, message, priority);
      tx.afterCommit(() => print(developmentLines(message)));
      return isStored;
    },
  };
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
