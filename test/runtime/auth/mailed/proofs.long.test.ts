import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atOnce, countEach } from "../support/concurrency.js";
import {
  type MailedServer,
  mailedProofs,
  resetLink,
  startMailed,
  verificationLink,
} from "../support/mailed-proofs.js";
import { breakTable, disable } from "../support/rows.js";

let mail: MailedServer;

beforeAll(async () => {
  mail = await startMailed();
});
afterAll(() => mail.server.close());

describe.each(mailedProofs)("a $name", (way) => {
  test("works once", async () => {
    const email = await mail.newAddress();
    const secret = await mail.mailed(way, email);
    expect(await mail.outcome(way, email, secret)).toBe(way.status);
    expect(await mail.outcome(way, email, secret)).toBe(way.dead);
  });

  test("works up to the last millisecond of its lifetime, and no longer", async () => {
    const [one, other] = [await mail.newAddress(), await mail.newAddress()];
    const inTime = await mail.mailed(way, one);
    const late = await mail.mailed(way, other);
    mail.server.clock.moveOn(way.minutes * 60 - 0.001);
    expect(await mail.outcome(way, one, inTime)).toBe(way.status);
    mail.server.clock.moveOn(0.001);
    expect(await mail.outcome(way, other, late)).toBe(way.dead);
  });

  test("stops working as soon as another one is requested", async () => {
    const email = await mail.newAddress();
    const former = await mail.mailed(way, email);
    const newer = await mail.mailed(way, email);
    expect(await mail.outcome(way, email, former)).toBe(
      way.dead === "OTP_EXPIRED" ? "INVALID_OTP" : way.dead,
    );
    expect(await mail.outcome(way, email, newer)).toBe(way.status);
  });

  test("keeps working when one for another purpose is requested", async () => {
    const email = await mail.newAddress();
    const secret = await mail.mailed(way, email);
    for (const other of mailedProofs.filter(({ ask }) => ask !== way.ask))
      await mail.mailed(other, email);
    expect(await mail.outcome(way, email, secret)).toBe(way.status);
  });

  test("works for exactly one of twenty concurrent uses", async () => {
    const email = await mail.newAddress();
    const secret = await mail.mailed(way, email);
    const counts = countEach(await atOnce(20, () => mail.outcome(way, email, secret)));
    expect(counts).toEqual({ [way.status]: 1, [way.dead]: 19 });
  });

  test("is not consumed by a server error", async () => {
    const email = await mail.newAddress();
    const secret = await mail.mailed(way, email);
    const { table, event } = way.writes;
    const repair = await breakTable(mail.server, table, event);
    for (let count = 0; count < 6; count += 1) {
      expect((await mail.use(way, email, secret)).status).toBe(500);
    }
    await repair();
    expect(await mail.outcome(way, email, secret)).toBe(way.status);
  });

  test("can be requested six times an hour, for each purpose and address separately", async () => {
    const email = await mail.newAddress();
    for (let count = 0; count < 6; count += 1) {
      await mail.mailed(way, email);
      mail.server.clock.moveOn(60);
    }
    const seventh = await mail.anonymous.post(way.ask, { email });
    expect(seventh.status).toBe(429);
    expect(seventh.body).toEqual({ error: "Too many attempts", code: "TOO_MANY_ATTEMPTS" });
    expect(seventh.headers["retry-after"]).toBe("3240");
    for (const other of mailedProofs.filter(({ ask }) => ask !== way.ask))
      await mail.mailed(other, email);
    await mail.mailed(way, await mail.newAddress());
    mail.server.clock.moveOn(3240);
    await mail.mailed(way, email);
  });

  test("is not mailed to a disabled account, and does not open one disabled meanwhile", async () => {
    const [before, meanwhile] = [await mail.newAddress(), await mail.newAddress()];
    const secret = await mail.mailed(way, meanwhile);
    for (const email of [before, meanwhile]) await disable(mail.server, email);
    expect(await mail.outcome(way, meanwhile, secret)).toBe(way.dead);
    expect((await mail.anonymous.post(way.ask, { email: before })).status).toBe(204);
    expect(mail.server.outbox.to(before)).toEqual([]);
  });
});

const otherThanReset = mailedProofs.filter((way) => way !== resetLink);

test.each(otherThanReset)("a $name ends when the password is reset", async (way) => {
  const email = await mail.newAddress();
  const secret = await mail.mailed(way, email);
  const token = await mail.mailed(resetLink, email);
  expect(await mail.outcome(resetLink, email, token)).toBe(204);
  expect(await mail.outcome(way, email, secret)).toBe(way.dead);
});

test.each(mailedProofs)("a $name ends when the address is verified", async (way) => {
  const email = await mail.newAddress();
  await mail.mailed(verificationLink, email);
  const secret =
    way.ask === verificationLink.ask
      ? way.secret(mail.server, email)
      : await mail.mailed(way, email);
  const token = verificationLink.secret(mail.server, email);
  expect(await mail.outcome(verificationLink, email, token)).toBe(204);
  expect(await mail.outcome(way, email, secret)).toBe(way.dead);
});
