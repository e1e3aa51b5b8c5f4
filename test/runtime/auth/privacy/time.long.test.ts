import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMailer } from "../../../../runtime/mail/index.js";
import { client } from "../../../support/http/client.js";
import { person } from "../support/people.js";
import { forgetPassword, forgetProof } from "../support/rows.js";
import { expectSameTime } from "../support/same-time.js";
import { type AuthServer, startAuth } from "../support/server.js";

const auth =
  "auth: { registration: true, require_email_verification: true, check_breached_passwords: false }";

/** Takes connections and never says a word. */
let silent: Server;
/** A port that nobody listens on. */
let closedPort: number;

beforeAll(async () => {
  silent = await listening();
  const closed = await listening();
  closedPort = portOf(closed);
  closed.close();
});
afterAll(() => silent.close());

async function listening(): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => socket.destroy()).unref());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Something to be tried with both addresses. */
interface Journey {
  readonly path: string;
  readonly body: object;
  readonly rounds: number;
  /** After so many rounds limits have to be escaped. */
  readonly limit: number;
  /** Not measured. */
  prepare?(email: string): Promise<void>;
}

async function expectSameTimes(server: AuthServer, journey: Journey): Promise<void> {
  const { path, body, rounds, limit, prepare } = journey;
  const anonymous = client(server.url, null);
  const emails = { known: await knownAddress(server), unknown: newAddress() };
  await expectSameTime({
    rounds,
    async prepare(round) {
      if (round % limit !== 0) return;
      server.clock.moveOn(3600);
      await prepare?.(emails.known);
      await prepare?.(emails.unknown);
    },
    async time(kind) {
      const started = performance.now();
      const { status } = await anonymous.post(path, { email: emails[kind], ...body });
      const taken = performance.now() - started;
      expect([200, 204, 401]).toContain(status);
      return taken;
    },
  });
}

let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `nobody-${addresses}@example.com`;
}

async function knownAddress(server: AuthServer): Promise<string> {
  addresses += 1;
  const email = await server.account(`person-${addresses}`);
  await forgetProof(server, email);
  return email;
}

const asking = [
  "/auth/email-code",
  "/auth/magic-link",
  "/auth/email/send",
  "/auth/password/forgot",
];

describe.each([
  { mailer: "one that answers", url: () => null },
  { mailer: "one that is silent", url: () => `smtp://127.0.0.1:${portOf(silent)}` },
  { mailer: "one that is down", url: () => `smtp://127.0.0.1:${closedPort}` },
])("with a mail server: $mailer", ({ url }) => {
  let server: AuthServer;

  beforeAll(async () => {
    const address = url();
    const environment = { SERVICE_LOG_LEVEL: "silent" };
    server =
      address === null
        ? await startAuth(`${auth}\n`, environment)
        : await startAuth(`${auth}\nmailer: { driver: smtp, url: "${address}" }\n`, environment, {
            openMailer,
          });
  });
  afterAll(() => server.close());

  test.each(asking)("%s takes the same time with and without an account", async (path) => {
    await expectSameTimes(server, { path, body: {}, rounds: 60, limit: 6 });
  });

  test("registering takes the same time with and without an account", async () => {
    const body = { name: "Eve", password: "a password of my own" };
    const { db } = server.services;
    await expectSameTimes(server, {
      path: "/auth/register",
      body,
      rounds: 20,
      limit: 1,
      // The address that has no account is to have none the next time either.
      prepare: async () => {
        await db.query("delete from service.users where name = 'Eve'");
      },
    });
  });
});

test("requesting another address takes the same time whether or not it has an account", async () => {
  const server = await startAuth(`${auth}\n`, { SERVICE_LOG_LEVEL: "silent" });
  try {
    const { caller, email } = await person(server, "moving");
    // Without a password, whose hashing would hide the rest.
    await forgetPassword(server, email);
    const emails = { known: await server.account("settled"), unknown: newAddress() };
    await expectSameTime({
      rounds: 60,
      prepare: async () => {
        await server.services.db.query("delete from service.attempts");
      },
      async time(kind) {
        const started = performance.now();
        const { status } = await caller.post("/auth/email/change", { email: emails[kind] });
        const taken = performance.now() - started;
        expect(status).toBe(204);
        return taken;
      },
    });
  } finally {
    await server.close();
  }
});

test("with sign-up by mail, a code takes the same time with and without an account", async () => {
  const settings = auth.replace(" }", ", register_by_email: true }");
  const server = await startAuth(`${settings}\n`, { SERVICE_LOG_LEVEL: "silent" });
  try {
    const journey = { path: "/auth/email-code", body: {}, rounds: 60, limit: 6 };
    await expectSameTimes(server, journey);
  } finally {
    await server.close();
  }
});

describe("a wrong guess", () => {
  let server: AuthServer;

  beforeAll(async () => {
    server = await startAuth(`${auth}\n`, { SERVICE_LOG_LEVEL: "silent" });
  });
  afterAll(() => server.close());

  test.each([
    ["/auth/email-code", "/auth/email-code/verify"],
    ["/auth/email/send", "/auth/email/verify"],
  ])("at a code of %s takes the same time with and without an account", async (ask, path) => {
    const anonymous = client(server.url, null);
    await expectSameTimes(server, {
      path,
      body: { code: "not a code" },
      rounds: 60,
      limit: 5,
      prepare: async (email) => {
        await anonymous.post(ask, { email });
      },
    });
  });

  test("at a password takes the same time with and without an account", async () => {
    const anonymous = client(server.url, null);
    const emails = { known: await server.account("ada"), unknown: newAddress() };
    await expectSameTime({
      rounds: 20,
      prepare(round) {
        if (round % 5 === 0) server.clock.moveOn(61);
      },
      async time(kind) {
        const started = performance.now();
        await anonymous.post("/auth/token", { email: emails[kind], password: "wrong password" });
        return performance.now() - started;
      },
    });
  });

  test("sixty concurrent ones take the same time with and without an account", async () => {
    const anonymous = client(server.url, null);
    const emails = { known: await knownAddress(server), unknown: newAddress() };
    await expectSameTime({
      rounds: 20,
      async time(kind) {
        const guess = { email: emails[kind], code: "not a code" };
        const started = performance.now();
        const guesses = Array.from({ length: 60 }, () =>
          anonymous.post("/auth/email/verify", guess),
        );
        await Promise.all(guesses);
        return performance.now() - started;
      },
    });
  });
});
