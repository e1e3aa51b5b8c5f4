import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { links, type MailedServer, startMailed } from "../support/mailed-proofs.js";

let mail: MailedServer;

beforeAll(async () => {
  mail = await startMailed();
});
afterAll(() => mail.server.close());

describe.each(links)("a $name", (way) => {
  test.each(["GET", "HEAD"])("is not consumed by %s", async (method) => {
    const email = await mail.newAddress();
    const token = await mail.mailed(way, email);
    const reply = await mail.anonymous.send(method, `${way.use}?token=${token}`);
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe("POST, OPTIONS");
    expect(await mail.outcome(way, email, token)).toBe(way.status);
  });

  test("opens the configured dashboard, whatever host the request names", async () => {
    const email = await mail.newAddress();
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      forwarded: "host=evil.example;proto=https",
      origin: "https://evil.example",
      referer: "https://evil.example/",
    };
    await mail.anonymous.send("POST", way.ask, { text: JSON.stringify({ email }), headers });
    const mails = mail.server.outbox.to(email);
    expect(mails).toHaveLength(1);
    for (const mail of mails) {
      expect("link" in mail && mail.link).toMatch(
        /^http:\/\/localhost:3001\/(sign-in\/link|verify-email|reset-password)\?token=[\w-]{43}$/,
      );
    }
  });

  test("is refused with the same response if it is wrong, used, replaced or expired", async () => {
    const [email, other] = [await mail.newAddress(), await mail.newAddress()];
    const expired = await mail.mailed(way, other);
    mail.server.clock.moveOn(way.minutes * 60);
    const replaced = await mail.mailed(way, email);
    const used = await mail.mailed(way, email);
    await mail.use(way, email, used);
    for (const token of [expired, replaced, used, "", "a".repeat(43), "\u0000\ud800", "x'; --"]) {
      const reply = await mail.use(way, email, token);
      expect(reply.status).toBe(401);
      expect(reply.body).toEqual({
        error: "The link is not valid or has expired",
        code: "INVALID_TOKEN",
      });
      expect(reply.headers["www-authenticate"]).toBeUndefined();
      expect(reply.headers["cache-control"]).toBe("no-store");
    }
  });
});
