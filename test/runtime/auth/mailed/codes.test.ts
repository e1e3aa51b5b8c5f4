import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atOnce, countEach } from "../support/concurrency.js";
import { codes, type MailedServer, startMailed } from "../support/mailed-proofs.js";
import { otherCode } from "../support/mails.js";

let mail: MailedServer;

beforeAll(async () => {
  mail = await startMailed();
});
afterAll(() => mail.server.close());

describe.each(codes)("of a $name", (way) => {
  test("five wrong guesses are checked, then all are refused until the code expires", async () => {
    const email = await mail.newAddress();
    const code = await mail.mailed(way, email);
    for (let count = 0; count < 5; count += 1) {
      expect(await mail.outcome(way, email, otherCode(code))).toBe("INVALID_OTP");
    }
    mail.server.clock.moveOn(59.5);
    for (const guess of [otherCode(code), code]) {
      const reply = await mail.use(way, email, guess);
      expect(reply.status).toBe(429);
      expect(reply.body).toEqual({ error: "Too many attempts", code: "TOO_MANY_ATTEMPTS" });
      expect(reply.headers["retry-after"]).toBe(String(way.minutes * 60 - 59));
    }
    mail.server.clock.moveOn(way.minutes * 60 - 59.5);
    const late = await mail.use(way, email, code);
    expect(late.status).toBe(401);
    expect(late.body).toEqual({
      error: "The code is not valid or has expired",
      code: "OTP_EXPIRED",
    });
  });

  test("a right one among the five works, and a new code has its own five", async () => {
    const email = await mail.newAddress();
    const former = await mail.mailed(way, email);
    for (let count = 0; count < 6; count += 1) await mail.use(way, email, otherCode(former));
    const code = await mail.mailed(way, email);
    for (let count = 0; count < 4; count += 1) {
      expect(await mail.outcome(way, email, otherCode(code))).toBe("INVALID_OTP");
    }
    expect(await mail.outcome(way, email, code)).toBe(way.status);
  });

  test("five of fifty concurrent wrong guesses are checked", async () => {
    const email = await mail.newAddress();
    const code = await mail.mailed(way, email);
    const counts = countEach(await atOnce(50, () => mail.outcome(way, email, otherCode(code))));
    expect(counts).toEqual({ INVALID_OTP: 5, TOO_MANY_ATTEMPTS: 45 });
  });

  test("a text that is not a code is a wrong guess, and whitespace in a code is ignored", async () => {
    const email = await mail.newAddress();
    const code = await mail.mailed(way, email);
    for (const guess of ["", `${code}0`, `0${code}`, `\ud800${code}`]) {
      expect(await mail.outcome(way, email, guess)).toBe("INVALID_OTP");
    }
    expect(await mail.outcome(way, email, ` ${code.slice(0, 3)} ${code.slice(3)}\n`)).toBe(
      way.status,
    );
  });

  test("the address may be spelled in any way", async () => {
    const email = await mail.newAddress();
    await mail.anonymous.post(way.ask, { email: `\n${email.toUpperCase()}` });
    const code = way.secret(mail.server, email);
    expect(await mail.outcome(way, ` ${email.toUpperCase()} `, code)).toBe(way.status);
  });
});
