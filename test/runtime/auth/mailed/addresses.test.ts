import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailedServer, mailedProofs, startMailed } from "../support/mailed-proofs.js";

let mail: MailedServer;

beforeAll(async () => {
  mail = await startMailed();
});
afterAll(() => mail.server.close());

const malformed = [
  "ada@example.com\r\nBcc: eve@example.com",
  "ada@example.com\nx",
  "ada@example.com,eve@example.com",
  "ada@example.com eve@example.com",
  "ada@example.com;eve@example.com",
  "Ada <ada@example.com>",
  "<ada@example.com>",
  '"ada"@example.com',
  "'ada @example.com",
  "ada\u0000@example.com",
  "ada@example.com\u0000",
  "ada@example.com\ud800",
  "ad\u0131@example.com",
  "\uff41da@example.com",
  "ada@[127.0.0.1]",
  "ada(comment)@example.com",
  "ada@example",
  "",
  5,
  null,
  ["ada@example.com"],
  undefined,
];

test.each(malformed)(
  "the address %j is refused, and neither mailed to nor stored",
  async (email) => {
    mail.server.outbox.clear();
    const { db } = mail.server.services;
    await db.query("delete from service.mailed_proofs");
    await db.query("delete from service.attempts");
    for (const path of [
      ...new Set(mailedProofs.map(({ ask }) => ask)),
      "/auth/email-code/verify",
      "/auth/email/verify",
    ]) {
      const code = path.endsWith("verify") ? { code: "123456" } : {};
      const reply = await mail.anonymous.post<{ issues: readonly { path: string }[] }>(path, {
        email,
        ...code,
      });
      expect(reply.status).toBe(422);
      expect(reply.body.issues.map((issue) => issue.path)).toEqual(["email"]);
    }
    expect(mail.server.outbox.messages).toEqual([]);
    expect(await db.query("select from service.mailed_proofs")).toEqual([]);
    expect(await db.query("select from service.attempts")).toEqual([]);
  },
);

test("a look-alike that normalises to an account's address is mailed to that address only", async () => {
  const email = await mail.server.account("kim");
  mail.server.outbox.clear();
  // Unicode itself holds the Kelvin sign to be the letter.
  const reply = await mail.anonymous.post("/auth/email-code", { email: "\u212aim@Example.com" });
  expect(reply.status).toBe(204);
  expect(mail.server.outbox.messages.map(({ to }) => to)).toEqual([email]);
});
