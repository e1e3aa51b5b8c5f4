import { type Database, openDatabase } from "../../../../runtime/db/index.js";
import {
  type AppMessage,
  type Mailer,
  type MailPriority,
  type Message,
  openMailer,
} from "../../../../runtime/mail/index.js";
import { createDatabase, type TestDatabase } from "../../../support/database/database.js";
import { type KeptLog, keptLog } from "./log.js";

/** Mailers on a database of their own. */
export interface TestMailer {
  readonly db: Database;
  readonly url: string;
  /** A server's mailer, which sends what is stored. */
  open(options: TestMailerOptions): RunningMailer;
  /** Stores an email, for any process to send. */
  store(message: Message, priority?: MailPriority): Promise<boolean>;
  /** What is stored, in the order in which it came. */
  waiting(): Promise<readonly StoredMail[]>;
  close(): Promise<void>;
}

export interface TestMailerOptions {
  /** Of the mail server. */
  readonly url: string;
  readonly log?: KeptLog;
  readonly secret?: string;
  /** Of before it was changed. */
  readonly previousSecret?: string;
}

export interface RunningMailer extends Pick<Mailer, "close"> {
  send(message: Message): Promise<boolean>;
  /** Stores all of them at once. */
  sendAll(messages: readonly Message[]): Promise<void>;
  sendDecoy(mail: Pick<Message, "to" | "kind">): Promise<boolean>;
  sendAppMessage(mail: AppMessage): Promise<void>;
}

export interface StoredMail {
  readonly email: string;
  readonly kind: string;
  readonly turn: number;
  readonly tries: number;
  readonly text: string;
}

export const from = "Shop <no-reply@shop.example>";

export async function openTestMailer(): Promise<TestMailer> {
  const database: TestDatabase = await createDatabase();
  const db = openDatabase({ url: database.url, poolSize: 10, prepare: true });
  const opened: Mailer[] = [];

  function newMailer({
    url,
    log = keptLog(),
    secret = "s".repeat(32),
    previousSecret,
  }: TestMailerOptions): Mailer {
    const config = {
      app: { name: "Shop" },
      environment: "production",
      mailer: { driver: "smtp", from, url },
      secret: Buffer.from(secret),
      previousSecret: previousSecret === undefined ? null : Buffer.from(previousSecret),
    } as const;
    const mailer = openMailer({ config, db, log });
    opened.push(mailer);
    return mailer;
  }

  return {
    db,
    url: database.url,
    open: (options) => {
      const mailer = newMailer(options);
      mailer.start();
      return {
        send: (message) => db.transaction((tx) => mailer.send(tx, message)),
        sendAll: (messages) =>
          db.transaction(async (tx) => {
            for (const message of messages) await mailer.send(tx, message);
          }),
        sendDecoy: (mail) => db.transaction((tx) => mailer.sendDecoy(tx, mail)),
        sendAppMessage: (mail) => db.transaction((tx) => mailer.sendAppMessage(tx, mail)),
        close: mailer.close,
      };
    },
    store: async (message, priority) => {
      const mailer = newMailer({ url: "smtp://127.0.0.1:1" });
      return db.transaction((tx) => mailer.send(tx, message, priority));
    },
    waiting: () =>
      db.query<StoredMail>(
        "select email, kind, turn, tries, m::text as text from service.mails m order by created_at, id",
      ),
    close: async () => {
      for (const mailer of opened) await mailer.close();
      await db.close();
      await database.drop();
    },
  };
}
