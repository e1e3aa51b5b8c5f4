import { v7 } from "uuid";
import { systemClock } from "../../../../runtime/clock/index.js";
import type { Config } from "../../../../runtime/config/index.js";
import { type Database, openDatabase } from "../../../../runtime/db/index.js";
import type { Resolve } from "../../../../runtime/dial/index.js";
import type { Message } from "../../../../runtime/mail/index.js";
import { readRange } from "../../../../runtime/values/addresses/ip-range.js";
import type { TryResult } from "../../../../runtime/webhooks/index.js";
import { openSender, type Sender } from "../../../../runtime/webhooks/send/sender.js";
import { addDeliveries } from "../../../../runtime/webhooks/store/deliveries.js";
import { newSecret } from "../../../../runtime/webhooks/store/secrets.js";
import { addWebhook } from "../../../../runtime/webhooks/store/webhooks.js";
import { createDatabase } from "../../../support/database/database.js";

/** Webhooks on a database of their own, and processes that send. */
export interface TestWebhooks {
  readonly db: Database;
  readonly url: string;
  /** An enabled webhook, with its secret. */
  add(url: string, by?: string): Promise<{ readonly id: string; readonly secret: Buffer }>;
  /** Stores deliveries with these records and bodies. */
  deliver(webhookId: string, ...deliveries: readonly [string | null, string][]): Promise<void>;
  /** Starts one of several processes. */
  sender(options?: SenderChoice): StartedSender;
  /** Of that webhook, in the order of the changes. */
  rows(webhookId: string): Promise<readonly Row[]>;
  account(role?: string): Promise<string>;
  close(): Promise<void>;
}

export interface Row {
  readonly id: string;
  readonly body: string;
  readonly state: string;
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
  /** Seconds until it is due; null once it has ended. */
  readonly wait: number | null;
}

export interface SenderChoice {
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
  readonly mostMs?: number;
}

export interface StartedSender extends Sender {
  readonly ended: TryResult[];
  readonly mails: Message[];
}

export const secrets = { secret: Buffer.alloc(32, 1), previousSecret: null };

export async function openWebhooks(): Promise<TestWebhooks> {
  const database = await createDatabase();
  const db = openDatabase({ url: database.url, poolSize: 10, prepare: true });
  const started: Sender[] = [];
  const account = async (role = "admin") => {
    const id = v7();
    await db.query(
      `insert into service.users (id, name, email, role, email_verified_at)
       values ($1::uuid, 'Ada', $1::uuid || '@example.com', $2, now())`,
      [id, role],
    );
    return id;
  };
  const creator = await account();

  return {
    db,
    url: database.url,
    account,
    async add(url, by = creator) {
      const id = v7();
      const { plain, encrypted: secret } = newSecret(secrets, id);
      const events = ["products.*"];
      await db.transaction((tx) =>
        addWebhook(tx, { id, url, events, disabled: false, secret, by }, 1_000),
      );
      return { id, secret: plain };
    },
    deliver: (webhookId, ...deliveries) =>
      addDeliveries(
        db,
        deliveries.map(([recordId, body]) => ({
          ...{ webhookId, type: "products.updated" },
          ...{ recordId, body },
        })),
      ),
    sender({ allow = ["127.0.0.1"], resolve, mostMs = 10_000 }: SenderChoice = {}) {
      const ended: TryResult[] = [];
      const mails: Message[] = [];
      const nothing = () => {};
      const opened = openSender({
        config: { ...secrets, auth: { operators: ["admin"] } as unknown as Config["auth"] },
        db,
        clock: systemClock,
        mailer: {
          send: async (_tx, message) => mails.push(message) > 0,
          sendDecoy: async () => true,
          sendAppMessage: async () => {},
          start: nothing,
          close: async () => {},
        },
        log: { debug: nothing, info: nothing, warn: nothing, error: nothing } as never,
        allowed: allow.map((one) => readRange(one) ?? fail(one)),
        ...(resolve && { resolve }),
        onEnded: (result) => void ended.push(result),
        times: { mostMs, leaseSeconds: 60, pollMs: 50 },
      });
      opened.start();
      started.push(opened);
      return { ...opened, ended, mails };
    },
    rows: (webhookId) =>
      db.query<Row>(
        `select id, body, state, attempts, status, error,
           extract(epoch from next_at - now())::float8 as wait
         from service.webhook_deliveries
         where webhook_id = $1
         order by seq`,
        [webhookId],
      ),
    close: async () => {
      await Promise.all(started.splice(0).map((one) => one.close(1_000)));
      await db.close();
      await database.drop();
    },
  };
}

function fail(written: string): never {
  throw new Error(written);
}
