import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 } from "uuid";
import { insertAccount } from "../../../../runtime/auth/account/store.js";
import { authRoutes, sessionGate } from "../../../../runtime/auth/index.js";
import { hashPassword } from "../../../../runtime/auth/password/hash.js";
import { type Environment, readConfig } from "../../../../runtime/config/index.js";
import { openDatabase } from "../../../../runtime/db/index.js";
import { closeServer, newOuterExpress, newServer } from "../../../../runtime/http/index.js";
import {
  isNotice,
  type Mailer,
  type MailerOptions,
  type Message,
} from "../../../../runtime/mail/index.js";
import { newLog, type Services } from "../../../../runtime/own-code/index.js";
import { localsOf, noAppCode } from "../../../support/apps/no-own-code.js";
import { createDatabase, type TestDatabase } from "../../../support/database/database.js";
import { hangUp } from "../../../support/http/client.js";
import { checkAnswers, ignoreAnswers } from "../../../support/openapi/answers.js";

/** The account routes alone, over HTTP, on a database of their own and a clock that tests move. */
export interface AuthServer {
  readonly url: string;
  readonly services: Services;
  readonly outbox: Outbox;
  readonly clock: { moveOn(seconds: number): void };
  /** A verified account whose password is `right password`; resolves with its address. */
  account(name: string, role?: string): Promise<string>;
  close(): Promise<void>;
}

/** What would have been mailed, in its order; it stays empty with another mailer. */
export interface Outbox {
  /** With codes and links, and of accounts that exist. */
  readonly messages: readonly Message[];
  /** Of what changed. */
  readonly notices: readonly Message[];
  /** Those to one address. */
  to(address: string): readonly Message[];
  clear(): void;
}

export interface AuthServerOptions {
  /** Takes the place of the outbox. */
  readonly openMailer?: (options: MailerOptions) => Mailer;
  /** Another server's database, to run next to it; it is not dropped. Left out: a new one. */
  readonly databaseUrl?: string;
  /** What its clock begins with, in milliseconds; left out: 2030. */
  readonly startsAt?: number;
}

export const rightPassword = "right password";

/** Made once a test file: hashing is slow on purpose. */
const rightHash = hashPassword(rightPassword);

/** Starts it with these lines as `service.yaml`. */
export async function startAuth(
  settings = "auth: { check_breached_passwords: false }\n",
  environment: Environment = {},
  options: AuthServerOptions = {},
): Promise<AuthServer> {
  const root = mkdtempSync(join(tmpdir(), "auth-"));
  writeFileSync(join(root, "service.yaml"), settings);
  const database = await databaseOf(options);
  const config = readConfig({
    root,
    environment: { SERVICE_SECRET: "s".repeat(32), SERVICE_LOG_LEVEL: "error", ...environment },
    databaseUrl: database.url,
  });
  const db = openDatabase({ url: database.url, poolSize: 10, prepare: true });
  const log = newLog(config);
  const { outbox, mailer } = newOutbox();
  let now = options.startsAt ?? Date.parse("2030-01-01T00:00:00.000Z");
  const services: Services = {
    config,
    db,
    clock: { now: () => new Date(now) },
    log,
    signFiles: (json) => json,
    mailer: options.openMailer?.({ config, db, log }) ?? mailer,
    policies: {},
    appCode: noAppCode,
  };
  const gate = sessionGate(services);
  const parts = {
    services,
    routes: authRoutes(config.auth),
    gate,
    appRouter: null,
    localsOf,
  };
  const server = newServer(newOuterExpress(parts), parts);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  services.mailer.start();
  const { port } = server.address() as AddressInfo;

  const url = `http://127.0.0.1:${port}`;
  // Accounts are the same in every app.
  checkAnswers(url, "apps/shop");
  return {
    url,
    services,
    outbox,
    clock: {
      moveOn: (seconds) => {
        now += seconds * 1000;
      },
    },
    account: async (name, role) => {
      const email = `${name}@example.com`;
      const now = services.clock.now();
      const passwordHash = await rightHash;
      const account = { id: v7({ msecs: now.getTime() }), name, email, role: role ?? null };
      const added = { ...account, passwordHash, emailVerified: true, now };
      if (await insertAccount(db, added)) return email;
      // A test that is tried again begins with a new account, as it did at first.
      await db.query("delete from service.users where email = $1", [email]);
      await insertAccount(db, added);
      return email;
    },
    close: async () => {
      hangUp(url);
      await closeServer(server);
      ignoreAnswers(url);
      await services.mailer.close();
      await gate.finish?.(10_000);
      await db.close();
      await database.drop();
      rmSync(root, { recursive: true });
    },
  };
}

async function databaseOf({ databaseUrl: url }: AuthServerOptions): Promise<TestDatabase> {
  return url === undefined ? createDatabase() : { url, drop: async () => {} };
}

function newOutbox(): { readonly outbox: Outbox; readonly mailer: Mailer } {
  let all: readonly Message[] = [];
  const messages = () => all.filter((message) => !isNotice(message));
  return {
    outbox: {
      get messages() {
        return messages();
      },
      get notices() {
        return all.filter(isNotice);
      },
      to: (address) => messages().filter(({ to }) => to === address),
      clear: () => {
        all = [];
      },
    },
    mailer: {
      send: async (tx, message) => {
        tx.afterCommit(() => {
          all = [...all, message];
        });
        return true;
      },
      sendDecoy: async () => true,
      sendAppMessage: async () => {},
      start() {},
      close: async () => {},
    },
  };
}
