import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openQueue, type QueueBounds } from "../../../runtime/mail/queue.js";
import { keptLog } from "./log.js";
import { messages } from "./messages.js";

const bounds: QueueBounds = {
  size: 1_000,
  atOnce: 5,
  headStart: 0,
  pauses: [10, 20, 30],
  grace: 300,
};

/** A failure as nodemailer tells it. */
function answered(response: string, permanent: boolean): Error {
  return Object.assign(new Error("Message failed"), { response, permanent, command: "DATA" });
}

/** A queue whose mails are handed over to a function. */
function queueTo(handOver: () => Promise<void>, changed: Partial<QueueBounds> = {}) {
  const log = keptLog();
  let cuts = 0;
  const queue = openQueue({
    prepare: () => handOver,
    cut: () => {
      cuts += 1;
    },
    log,
    bounds: { ...bounds, ...changed },
  });
  return { ...queue, log, cuts: () => cuts };
}

test("tries again while a failure may pass, and then no more", async () => {
  let tries = 0;
  const queue = queueTo(async () => {
    tries += 1;
    throw answered("451 4.3.0 Busy", false);
  });
  queue.add(messages.signInCode);
  await expect.poll(() => tries).toBe(4);
  await queue.close();
  const told = {
    to: "ada@example.com",
    kind: "sign-in-code",
    reason: "DATA was answered with 451 4.3.0",
  };
  expect(queue.log.warnings).toEqual([
    { message: "A mail is tried again", ...told, wait: 10 },
    { message: "A mail is tried again", ...told, wait: 20 },
    { message: "A mail is tried again", ...told, wait: 30 },
    { message: "A mail was not sent", ...told },
  ]);
});

test("does not try again what would be refused again", async () => {
  let tries = 0;
  const queue = queueTo(async () => {
    tries += 1;
    throw answered("550 No such user", true);
  });
  queue.add(messages.signInCode);
  await expect
    .poll(() => queue.log.warnings)
    .toMatchObject([{ message: "A mail was not sent", reason: "DATA was answered with 550" }]);
  await sleep(50);
  expect(tries).toBe(1);
});

test("sends no code whose time is over", async () => {
  let tries = 0;
  const queue = queueTo(
    async () => {
      tries += 1;
      throw answered("451 4.3.0 Busy", false);
    },
    { pauses: [100, 100] },
  );
  queue.add({ ...messages.signInCode, minutes: 0.05 / 60 });
  await expect.poll(() => queue.log.warnings.length).toBe(2);
  expect(tries).toBe(1);
  expect(queue.log.warnings[1]).toMatchObject({
    message: "A mail was not sent",
    reason: "what is in it is over",
  });
});

test("hands over a few at a time", async () => {
  let running = 0;
  let most = 0;
  let done = 0;
  const queue = queueTo(async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    done += 1;
  });
  for (let sent = 0; sent < 40; sent += 1) queue.add(messages.signInCode);
  await queue.close();
  expect({ most, done }).toEqual({ most: 5, done: 40 });
});

test("keeps a thousand mails and drops what is beyond with a warning", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done = 0;
  const queue = queueTo(
    async () => {
      await held;
      done += 1;
    },
    { headStart: 200 },
  );
  for (let sent = 0; sent < 1_010; sent += 1) queue.add(messages.resetLink);
  const dropped = {
    message: "A mail was not sent",
    to: "ada@example.com",
    kind: "reset-link",
    reason: "too many mails are waiting",
  };
  expect(queue.log.warnings).toEqual(Array.from({ length: 10 }, () => dropped));
  release();
  await queue.close();
  expect(done).toBe(1_000);
});

test("a mail that cannot be composed is told and harms nobody", async () => {
  const log = keptLog();
  const queue = openQueue({
    prepare: () => {
      throw new TypeError("no words");
    },
    cut: () => {},
    log,
    bounds,
  });
  queue.add(messages.signInCode);
  await queue.close();
  expect(log.warnings).toMatchObject([{ message: "A mail was not sent", reason: "no words" }]);
});

test("closing waits for what is under way and tries once more what waits", async () => {
  let tries = 0;
  const queue = queueTo(
    async () => {
      tries += 1;
      await sleep(100);
      if (tries === 1) throw answered("451 4.3.0 Busy", false);
    },
    { pauses: [60_000] },
  );
  queue.add(messages.signInCode);
  await expect.poll(() => queue.log.warnings.length).toBe(1);
  await queue.close();
  expect(tries).toBe(2);
  expect(queue.log.warnings).toMatchObject([{ message: "A mail is tried again" }]);
  expect(queue.cuts()).toBe(0);
});

test("closing gives up on a server that keeps it waiting", async () => {
  const log = keptLog();
  let fail = () => {};
  const queue = openQueue({
    prepare: () => () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new Error("Connection pool was closed"));
      }),
    cut: () => fail(),
    log,
    bounds: { ...bounds, atOnce: 1 },
  });
  queue.add(messages.signInCode);
  queue.add(messages.resetLink);
  await sleep(20);
  const before = performance.now();
  await queue.close();
  expect(performance.now() - before).toBeGreaterThan(250);
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(log.warnings).toMatchObject([
    { kind: "sign-in-code", reason: "Connection pool was closed" },
    { kind: "reset-link", reason: "the server is closing" },
  ]);
});

test("takes nothing more once it is closed", async () => {
  const queue = queueTo(async () => {});
  await queue.close();
  queue.add(messages.signInCode);
  expect(queue.log.warnings).toMatchObject([{ reason: "the server is closing" }]);
});
