import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openMailer } from "../../../runtime/mail/index.js";
import { type AppMessage, checkAppMessage } from "../../../runtime/mail/letter/app-message.js";
import { storeAppMessage } from "../../../runtime/mail/queue/app-message.js";
import {
  type MailServer,
  type MailServerOptions,
  startMailServer,
} from "../../support/accounts/smtp.js";
import { keptLog } from "./support/log.js";
import { openTestMailer, type RunningMailer, type TestMailer } from "./support/mailer.js";
import { messages } from "./support/messages.js";

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

function mailer(url: string, log = keptLog()): RunningMailer {
  const made = room.open({ url, log });
  opened.push(made);
  return made;
}

const mail: AppMessage = { to: ["ada@example.com"], subject: "Your invoice", text: "Dear Ada," };
const silent = {
  app: { name: "Shop" },
  mailer: { driver: "none", from: "" },
  secret: Buffer.from("s".repeat(32)),
  previousSecret: null,
} as const;
const people = (count: number) => Array.from({ length: count }, (_, n) => `n${n}@example.com`);

test("a mail is sent with its text alone, from the app's sender", async () => {
  const server = await mailServer();
  await mailer(server.url).sendAppMessage(mail);
  const [came] = await server.has(1);
  expect(came?.to).toEqual(["ada@example.com"]);
  expect(came?.raw).toMatch(/^From: Shop <no-reply@shop\.example>\r$/m);
  expect(came?.raw).toMatch(/^To: ada@example\.com\r$/m);
  expect(came?.raw).toMatch(/^Subject: Your invoice\r$/m);
  expect(came?.raw).toMatch(/^Content-Type: text\/plain/m);
  expect(came?.raw).not.toMatch(/text\/html|^Reply-To/m);
  expect(came?.raw).toContain("Dear Ada,");
});

test("one mail goes to every address, with HTML and a reply address", async () => {
  const server = await mailServer();
  const to = people(50);
  await mailer(server.url).sendAppMessage({
    ...mail,
    to,
    html: "<p>Dear all</p>",
    replyTo: "help@example.com",
  });
  const [came] = await server.has(1);
  expect(came?.to).toEqual(to);
  expect(came?.raw).toMatch(/^Reply-To: help@example\.com\r$/m);
  expect(came?.raw).toContain("<p>Dear all</p>");
});

const wrong: readonly [string, Partial<Record<keyof AppMessage, unknown>>, string][] = [
  ["no address", { to: [] }, "to"],
  ["51 addresses", { to: people(51) }, "to"],
  ["no list", { to: { length: 1, 0: "ada@example.com" } }, "to"],
  ["a list in one address", { to: "ada@example.com, eve@example.com" }, "to"],
  ["an address with a name", { to: ["Ada <ada@example.com>"] }, "to"],
  ["a header in an address", { to: ["ada@example.com\r\nBcc: eve@example.com"] }, "to"],
  ["a number as an address", { to: [1] }, "to"],
  ["a header in the subject", { subject: "Hi\r\nBcc: eve@example.com" }, "subject"],
  ["a line feed in the subject", { subject: "Hi\nthere" }, "subject"],
  ["a line separator in the subject", { subject: "Hi\u2028there" }, "subject"],
  ["a NUL in the subject", { subject: "Hi\0" }, "subject"],
  ["no subject", { subject: "" }, "subject"],
  ["a subject of 201 characters", { subject: "x".repeat(201) }, "subject"],
  ["a subject that is no text", { subject: { toString: () => "Hi" } }, "subject"],
  ["no text", { text: undefined }, "text"],
  ["a text that is an object", { text: { path: "/etc/passwd" } }, "text"],
  ["HTML that is an object", { html: { href: "http://169.254.169.254/" } }, "html"],
  ["257 kB together", { text: "a".repeat(200_000), html: "ä".repeat(40_000) }, "text"],
  ["a header in replyTo", { replyTo: "a@example.com\r\nBcc: eve@example.com" }, "replyTo"],
  ["a list in replyTo", { replyTo: ["a@example.com"] }, "replyTo"],
];

test.each(wrong)("refuses %s, without quoting the mail", (_, change, key) => {
  const check = () => checkAppMessage({ ...mail, ...change } as AppMessage);
  expect(check).toThrow(`mail.send: "${key}"`);
  expect(check).not.toThrow(/eve|passwd|169/);
});

test("a mail over the limits throws at the call, and nothing is stored", async () => {
  const own = mailer((await mailServer()).url);
  await expect(own.sendAppMessage({ ...mail, to: people(51) })).rejects.toThrow('mail.send: "to"');
  expect(await room.waiting()).toEqual([]);
});

test("a mail at the limits is accepted", () => {
  const text = "a".repeat(256 * 1024 - 4);
  expect(
    checkAppMessage({ to: people(50), subject: "😀".repeat(200), text, html: "äö" }),
  ).toMatchObject({
    text,
    replyTo: null,
  });
  expect(checkAppMessage({ ...mail, to: "ada@example.com" }).to).toEqual(["ada@example.com"]);
  expect(checkAppMessage({ ...mail, to: ["a@example.com", "a@example.com"] }).to).toHaveLength(1);
});

test("it is stored encrypted, and nothing of its content is logged", async () => {
  const log = keptLog();
  const server = await mailServer({ answer: () => "550 5.7.1 Spam" });
  await mailer(server.url, log).sendAppMessage({ ...mail, text: "a secret of Ada" });
  const stored = JSON.stringify(await room.waiting());
  expect(stored).not.toContain("secret");
  await expect.poll(() => room.waiting()).toEqual([]);
  expect(JSON.stringify(log)).not.toMatch(/secret|invoice|ada@/);
});

test("mails of accounts to the same address do not displace it", async () => {
  const server = await mailServer({ answer: () => "450 4.2.0 Later" });
  await mailer(server.url).sendAppMessage(mail);
  for (let count = 0; count < 25; count += 1) await room.store(messages.passwordChanged);
  const kinds = (await room.waiting()).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "own")).toHaveLength(1);
  expect(kinds).toHaveLength(21);
});

test("a full queue is a 503, and mails of accounts still go through", async () => {
  const server = await mailServer({ answer: () => "450 4.2.0 Later" });
  const own = mailer(server.url);
  await own.sendAppMessage(mail);
  await room.db.query(
    `insert into service.mails (id, email, kind, queue, sealed, turn, due_at, expires_at)
     select gen_random_uuid(), 'x@example.com', 'own', 'own', '', 0, now() + interval '1 h', now() + interval '1 d'
     from generate_series(1, 9999)`,
  );
  await expect(own.sendAppMessage(mail)).rejects.toMatchObject({ name: "Refusal", status: 503 });
  expect(await own.send(messages.signInCode)).toBe(true);
});

test("a queue with too many bytes is full, even with few mails", async () => {
  const secrets = { secret: Buffer.from("s".repeat(32)), previousSecret: null };
  const stored = { ...checkAppMessage(mail), text: "a".repeat(10_000) };
  const store = () => storeAppMessage(room.db, stored, { secrets, maxBytes: 25_000 });
  expect([await store(), await store(), await store()]).toEqual([true, true, false]);
  expect(await room.waiting()).toHaveLength(2);
});

test("temporarily refused recipients get the mail later, permanently refused ones are logged", async () => {
  const log = keptLog();
  const server = await mailServer({
    recipient: (address) =>
      ({ "later@example.com": "450 4.2.0 Greylisted", "no@example.com": "550 5.1.1 Unknown" })[
        address
      ] ?? null,
  });
  const to = ["ada@example.com", "later@example.com", "no@example.com"];
  await mailer(server.url, log).sendAppMessage({ ...mail, to });
  expect((await server.has(1))[0]?.to).toEqual(["ada@example.com"]);
  await expect
    .poll(async () => (await room.waiting()).map(({ email }) => email))
    .toEqual(["later@example.com"]);
  expect(JSON.stringify(log)).toContain("n\u2026@example.com");
});

describe("without a mail server", () => {
  const open = (environment: "development" | "production" | "test") =>
    openMailer({ config: { ...silent, environment }, db: room.db, log: keptLog() });
  const printed = async (work: () => Promise<unknown>) => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      await work();
      return write.mock.calls.map(([text]) => text).join("");
    } finally {
      write.mockRestore();
    }
  };

  test("a mail is printed in development once its transaction is committed", async () => {
    const { sendAppMessage } = open("development");
    const text = "Dear Ada,\r\n\u001b[31mtwo\tlines";
    const output = await printed(() =>
      room.db.transaction((tx) =>
        sendAppMessage(tx, { ...mail, to: people(2), text, html: "<p>Dear" }),
      ),
    );
    expect(output).toBe(
      "Mail to n0@example.com, n1@example.com: Your invoice\n  Dear Ada,\n  [31mtwo\tlines\n",
    );
  });

  test("a mail of a transaction that is rolled back is not printed", async () => {
    const { sendAppMessage } = open("development");
    const rolledBack = room.db.transaction(async (tx) => {
      await sendAppMessage(tx, mail);
      throw new Error("undone");
    });
    expect(await printed(() => expect(rolledBack).rejects.toThrow("undone"))).toBe("");
  });

  test.each(["production", "test"] as const)("a mail is refused in %s", async (environment) => {
    const { sendAppMessage } = open(environment);
    const sent = room.db.transaction((tx) => sendAppMessage(tx, mail));
    await expect(sent).rejects.toThrow("mail.send: there is no mail server");
  });

  test("a mail over the limits is refused in development too", async () => {
    const { sendAppMessage } = open("development");
    const sent = room.db.transaction((tx) => sendAppMessage(tx, { ...mail, to: [] }));
    await expect(sent).rejects.toThrow('mail.send: "to"');
  });
});
