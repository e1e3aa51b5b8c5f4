import { setTimeout as sleep } from "node:timers/promises";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTransport, tryTransport } from "../../../runtime/mail/send/smtp.js";
import {
  type MailServer,
  type MailServerOptions,
  newCertificate,
  startMailServer,
  startSilentServer,
} from "../../support/accounts/smtp.js";
import { type KeptLog, keptLog } from "./support/log.js";
import { from, openTestMailer, type RunningMailer, type TestMailer } from "./support/mailer.js";
import { messages } from "./support/messages.js";

const letter = { subject: "One", text: "Two", html: "<p>Two</p>" };

let room: TestMailer;
beforeAll(async () => {
  room = await openTestMailer();
});
beforeEach(async () => {
  await room.db.query("delete from service.mails");
});
afterAll(() => room.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function mailServer(options?: MailServerOptions): Promise<MailServer> {
  const server = await startMailServer(options);
  opened.push(server);
  return server;
}

function mailer(url: string, log: KeptLog = keptLog()): RunningMailer {
  const made = room.open({ url, log });
  opened.push(made);
  return made;
}

/** Hands one email over; null, or why that failed. */
async function deliver(url: string, silence = 2_000): Promise<string | null> {
  const transport = openTransport({ from, url, silence });
  try {
    await transport.deliver(transport.address("ada@example.com", letter, "one-id"));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    transport.close();
  }
}

test("a mail has both parts, and is marked as sent by a program", async () => {
  const server = await mailServer();
  await mailer(server.url).send(messages.signInCode);
  const [mail] = await server.has(1);
  expect(mail).toMatchObject({ from: "no-reply@shop.example", to: ["ada@example.com"] });
  const { headers, text, html, ...rest } = await PostalMime.parse(mail?.raw ?? "");
  expect(rest).toMatchObject({
    subject: "Your sign-in code for Shop",
    from: { name: "Shop", address: "no-reply@shop.example" },
    to: [{ name: "", address: "ada@example.com" }],
    attachments: [],
  });
  expect(rest.messageId).toMatch(/^<[0-9a-f-]{36}@shop\.example>$/);
  expect(text).toContain("\n482910\n");
  expect(html).toContain(">482910</p>");
  const values = Object.fromEntries(headers.map(({ key, value }) => [key, value]));
  expect(values).toMatchObject({
    "auto-submitted": "auto-generated",
    "x-auto-response-suppress": "All",
    "content-type": expect.stringMatching(/^multipart\/alternative;/),
  });
  expect(Object.keys(values).toSorted()).toEqual([
    "auto-submitted",
    "content-type",
    "date",
    "from",
    "message-id",
    "mime-version",
    "subject",
    "to",
    "x-auto-response-suppress",
  ]);
});

test("a mail that a server cannot accept now is retried", async () => {
  const log = keptLog();
  const server = await mailServer({ answer: (tries) => (tries === 1 ? "451 4.7.1 Later" : null) });
  await mailer(server.url, log).send(messages.signInCode);
  await server.has(1);
  expect(server.tries).toBe(2);
  expect(log.warnings).toEqual([
    {
      message: "A mail will be retried",
      mail: /^Message-ID: <(.{36})@/m.exec(server.mails[0]?.raw ?? "")?.[1],
      to: "a…@example.com",
      kind: "sign-in-code",
      reason: "the mail server responded with 451 4.7.1 to DATA",
      wait: 1_000,
    },
  ]);
});

test("a connection that the server has closed meanwhile costs no mail and no delay", async () => {
  const log = keptLog();
  const server = await mailServer({ idle: 400 });
  const sender = mailer(server.url, log);
  for (const count of [1, 2, 3]) {
    await sender.send(messages.signInCode);
    await server.has(count);
    await sleep(700);
  }
  expect(log.warnings).toEqual([]);
});

describe("TLS", async () => {
  const certificate = await newCertificate();
  const trusting = `tls.ca=${encodeURIComponent(certificate.cert)}`;

  test.each(["start", "offer"] as const)(
    "is negotiated from the %s with a trusted certificate",
    async (start) => {
      const server = await mailServer({ tls: { certificate, from: start } });
      expect(await deliver(`${server.url}?${trusting}`)).toBe(null);
      expect(server.mails).toMatchObject([{ secure: true }]);
    },
  );

  test.each(["start", "offer"] as const)(
    "from the %s sends nothing to an untrusted server",
    async (start) => {
      const server = await mailServer({ tls: { certificate, from: start } });
      expect(await deliver(server.url)).toBe("self-signed certificate");
      expect(await tryTransport(server.url)).toBe("self-signed certificate");
      expect(server.mails).toEqual([]);
    },
  );

  test("sends nothing unencrypted if TLS is required", async () => {
    const server = await mailServer();
    expect(await deliver(`${server.url}?requireTLS=true`)).toMatch(/STARTTLS/);
    expect(server.mails).toEqual([]);
  });
});

describe("a user", () => {
  const user = { name: "shop@example.com", password: "p@ss/w:rd%?" };
  const signedIn = (url: string, password: string) =>
    url.replace("//", `//${encodeURIComponent(user.name)}:${encodeURIComponent(password)}@`);

  test("signs in with the user and password of the address", async () => {
    const server = await mailServer({ user });
    expect(await deliver(signedIn(server.url, user.password))).toBe(null);
    expect(server.mails).toMatchObject([{ user: user.name }]);
    expect(await tryTransport(signedIn(server.url, user.password))).toBe(null);
  });

  test("with a wrong password nothing is sent, the mail stays, and no log has the password", async () => {
    const server = await mailServer({ user });
    const log = keptLog();
    const sender = mailer(signedIn(server.url, "hunter2"), log);
    await sender.send(messages.resetLink);
    await expect
      .poll(() => log.warnings[0])
      .toEqual({
        message: "A mail will be retried",
        mail: expect.any(String),
        to: "a…@example.com",
        kind: "reset-link",
        reason: "the mail server responded with 535 5.7.8 to AUTH PLAIN",
        wait: 1_000,
      });
    expect(await room.waiting()).toHaveLength(1);
    expect(await tryTransport(signedIn(server.url, "hunter2"))).toBe(
      "the mail server responded with 535 5.7.8 to AUTH PLAIN",
    );
    expect(log.text()).not.toMatch(/hunter2|token=/);
  });
});

/** Each to another address: emails of a kind to one address take each other's place, and only some may wait for it. */
const stored = Object.values(messages).map((message, at) => ({
  ...message,
  to: `a${at}@example.com`,
}));

test("a response that quotes the mail does not bring it into the log", async () => {
  const server = await mailServer({
    answer: (_tries, raw) => `554 5.7.1 Spam: ${raw.replaceAll(/\s+/g, " ").slice(-2_000)}`,
  });
  const log = keptLog();
  const sender = mailer(server.url, log);
  for (const message of stored) await sender.send(message);
  await expect.poll(() => log.warnings.length).toBe(stored.length);
  expect(new Set(log.warnings.map((line) => JSON.stringify({ ...line, mail: null })))).toEqual(
    new Set(
      stored.map(({ kind }) =>
        JSON.stringify({
          message: "A mail was not sent",
          mail: null,
          to: "a…@example.com",
          kind,
          reason: "the mail server responded with 554 5.7.1 to DATA",
        }),
      ),
    ),
  );
  expect(server.tries).toBe(stored.length);
  expect(log.text()).not.toMatch(/482910|token=|abc_-123/);
});

test("a server that does not answer is abandoned", async () => {
  const server = await startSilentServer();
  opened.push(server);
  // Whichever of the two limits strikes first; the library's own is longer than a test may take.
  expect(await deliver(server.url, 300)).toMatch(/^(Greeting never received|Timeout)$/);
});

test("a mail being sent can be cut off", async () => {
  const server = await startSilentServer();
  opened.push(server);
  const transport = openTransport({ from, url: server.url });
  const delivery = transport.deliver(transport.address("ada@example.com", letter, "one-id"));
  setTimeout(transport.cut, 100);
  await expect(delivery).rejects.toThrow();
  // Long before the delivery would be given up.
}, 20_000);

test("a server that is not reachable is a temporary failure", async () => {
  const server = await startMailServer();
  await server.close();
  expect(await deliver(server.url)).toMatch(/^connect ECONNREFUSED 127\.0\.0\.1:/);
});
