import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MailPriority, Message } from "../../../runtime/mail/index.js";
import { type ClaimedMail, claimFirstMail, claimMail } from "../../../runtime/mail/queue/claim.js";
import { queueOf } from "../../../runtime/mail/queue/queues.js";
import { maxInQueue, uncertainPlaces } from "../../../runtime/mail/queue/store.js";
import { openDelivery } from "../../../runtime/mail/send/delivery.js";
import { keptLog } from "./support/log.js";
import { openTestMailer, type TestMailer } from "./support/mailer.js";
import { multiplyMails } from "./support/many.js";
import { messages } from "./support/messages.js";

let room: TestMailer;

beforeAll(async () => {
  room = await openTestMailer();
});
beforeEach(async () => {
  await room.db.query("delete from service.mails");
});
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  // Closing would send them.
  await room.db.query("delete from service.mails");
  await room.close();
});

function delivering(send: (mail: ClaimedMail) => Promise<void>) {
  const delivery = openDelivery({
    db: room.db,
    send,
    cut: () => {},
    log: keptLog(),
    times: { pauses: [0.05], grace: 0 },
  });
  delivery.start();
  opened.push(delivery);
}

/** Many people's first email, due now. */
async function flood(message: Message, count: number, priority?: MailPriority): Promise<void> {
  await room.store({ ...message, to: "stranger@example.com" }, priority);
  await multiplyMails(room.db, message.kind, count - 1);
  await room.db.query("update service.mails set due_at = now()");
}

const urgent = ["resetLink", "signInCode", "signInLink", "secondStepCode", "setUpCode"] as const;

test.each(["verification", "accountExists"] as const)(
  "few of 5 000 mails (%s) are sent before a mail that a user waits for",
  async (kind) => {
    await flood(messages[kind], 5_000);
    const order: string[] = [];
    delivering(async ({ email }) => {
      order.push(email);
    });
    for (const name of urgent) {
      await expect.poll(() => order.length, { interval: 5 }).toBeGreaterThan(5);
      const to = `${name.toLowerCase()}@example.com`;
      await room.store({ ...messages[name], to });
      // It may leave from now on, without its head start.
      await room.db.query("update service.mails set due_at = now() where email = $1", [to]);
      const before = order.length;
      await expect.poll(() => order, { interval: 5 }).toContain(to);
      expect(order.indexOf(to) - before).toBeLessThan(40);
    }
  },
);

test("a flood of codes for unverified addresses does not delay one for a verified address", async () => {
  await flood(messages.signInCode, 1_000, "low");
  const order: string[] = [];
  delivering(async ({ email }) => {
    order.push(email);
  });
  await expect.poll(() => order.length, { interval: 5 }).toBeGreaterThan(5);
  await room.store({ ...messages.signInCode, to: "verified@example.com" });
  await room.db.query("update service.mails set due_at = now() where email like 'verified@%'");
  const before = order.length;
  await expect.poll(() => order, { interval: 5 }).toContain("verified@example.com");
  expect(order.indexOf("verified@example.com") - before).toBeLessThan(40);
});

test("mails of a full queue are sent too while another has more", async () => {
  await flood(messages.signInCode, 300);
  await flood(messages.verification, 5);
  const order: string[] = [];
  delivering(async ({ kind }) => {
    order.push(kind);
  });
  const codes = () => order.filter((kind) => kind === "sign-in-code").length;
  await expect.poll(() => order.includes("verification"), { interval: 5 }).toBe(true);
  expect(codes()).toBeLessThan(300);
});

test("a request after a flood of the same kind does not wait for all of it", async () => {
  // Of other kinds as well, so that those do not fill all places.
  for (const name of ["signInCode", "resetLink", "secondStepCode"] as const) {
    await flood(messages[name], 1_000);
  }
  const order: string[] = [];
  delivering(async ({ email }) => {
    await sleep(5);
    order.push(email);
  });
  await expect.poll(() => order.length, { interval: 5 }).toBeGreaterThan(5);
  await room.store({ ...messages.signInCode, to: "late@example.com" });
  await room.db.query("update service.mails set due_at = now() where email = 'late@example.com'");
  const before = order.length;
  await expect.poll(() => order, { interval: 5, timeout: 150_000 }).toContain("late@example.com");
  // A draw decides; in its turn about 3 000 would come first.
  expect(order.indexOf("late@example.com") - before).toBeLessThan(1_000);
}, 180_000);

test("slow mails of one kind leave a slot for those of others that are the first to their address", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: string[] = [];
  await flood(messages.verification, 20);
  delivering(async ({ kind }) => {
    if (kind === "verification") await held;
    sent.push(kind);
  });
  await expect
    .poll(async () => (await room.waiting()).filter(({ tries }) => tries > 0))
    .toHaveLength(4);
  await room.store(messages.resetLink);
  await expect.poll(() => sent).toEqual(["reset-link"]);
  release();
});

describe("a queue", () => {
  async function fill(count: number): Promise<void> {
    await room.store(messages.signInCode);
    await multiplyMails(room.db, "sign-in-code", count - 1);
    await room.db.query("update service.mails set due_at = now() + interval '1 hour'");
  }

  const results = async (store: () => Promise<boolean>) => {
    const seen = new Set<boolean>();
    for (let count = 0; count < 60; count += 1) seen.add(await store());
    return [...seen].toSorted();
  };

  test("that is full accepts no mail, which is logged; the others do", async () => {
    await fill(maxInQueue);
    const log = keptLog();
    const mailer = room.open({ url: "smtp://127.0.0.1:1", log });
    opened.push(mailer);
    for (const [at, message] of Object.values(messages).entries()) {
      const isFull = queueOf[message.kind] === "sign-in";
      // Others have other addresses: the oldest of many emails to one is deleted.
      const to = isFull ? message.to : `other-${at}@example.com`;
      expect([message.kind, await mailer.send({ ...message, to })]).toEqual([
        message.kind,
        !isFull,
      ]);
      const nobody = { to: "nobody@example.com", kind: message.kind };
      expect([message.kind, await mailer.sendDecoy(nobody)]).toEqual([message.kind, !isFull]);
    }
    // The former code is still there: nothing has taken its place.
    const codes = "select count(*)::int as codes from service.mails where email = $1 and kind = $2";
    expect(await room.db.query(codes, [messages.signInCode.to, "sign-in-code"])).toEqual([
      { codes: 1 },
    ]);
    const refusal = { message: "Mails are refused because their queue is full", queue: "sign-in" };
    expect(log.warnings.filter((line) => "queue" in line)).toEqual([refusal]);
    expect(JSON.stringify(log.warnings.filter((line) => !("wait" in line)))).not.toContain("@");
  });

  test("that is full is logged for a decoy as well", async () => {
    await fill(maxInQueue);
    const log = keptLog();
    const mailer = room.open({ url: "smtp://127.0.0.1:1", log });
    opened.push(mailer);
    expect(await mailer.sendDecoy({ to: "nobody@example.com", kind: "sign-in-link" })).toBe(false);
    expect(log.warnings).toEqual([
      { message: "Mails are refused because their queue is full", queue: "sign-in" },
    ]);
  });

  test("that is almost full accepts mails at random, so that queued mails cannot be counted", async () => {
    await fill(maxInQueue - uncertainPlaces - 100);
    const some = { ...messages.signInCode, to: "some@example.com" };
    expect(await results(() => room.store(some))).toEqual([true]);
    await room.db.query("delete from service.mails");
    await fill(maxInQueue - uncertainPlaces / 2);
    expect(await results(() => room.store(some))).toEqual([false, true]);
  });
});

test("a mail is found by an index, in the same time among 400 and 20 000 queued ones", async () => {
  for (const name of ["verification", "resetLink", "signInCode", "passkeyAdded"] as const) {
    await room.store({ ...messages[name], to: "stranger@example.com" });
  }
  const claims = [
    () => claimMail(room.db, { ahead: 0, leaseSeconds: 15 }),
    () => claimFirstMail(room.db, { ahead: 0, leaseSeconds: 15, except: ["registration"] }),
  ];
  await fillTo(400);
  const few = await shortestOf(claims);
  await fillTo(20_000);
  const many = await shortestOf(claims);
  // Without an index it takes fourteen to twenty times as long.
  for (const [at, ms] of many.entries()) expect(ms).toBeLessThan(6 * (few[at] ?? 0));
});

/** Multiplies the emails of four kinds until so many are queued. */
async function fillTo(count: number): Promise<void> {
  const total = "select count(*)::int as count from service.mails";
  const [{ count: before } = { count: 0 }] = await room.db.query<{ count: number }>(total);
  for (const kind of ["verification", "reset-link", "sign-in-code", "passkey-added"]) {
    await multiplyMails(room.db, kind, count / before - 1);
  }
  await room.db.query("update service.mails set due_at = now() - interval '1 second'");
  expect(await room.db.query(total)).toEqual([{ count }]);
}

/** Milliseconds that each took at least, of twenty. */
async function shortestOf(claims: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const shortest: number[] = [];
  for (const claim of claims) {
    const times: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const started = performance.now();
      expect(await claim()).not.toBeNull();
      times.push(performance.now() - started);
    }
    shortest.push(Math.min(...times));
  }
  return shortest;
}
