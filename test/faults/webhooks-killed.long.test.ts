import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { startReceiver } from "../runtime/webhooks/support/receiver.js";
import { openWebhooks } from "../runtime/webhooks/support/webhooks.js";

const built = (path: string) =>
  JSON.stringify(new URL(`../../dist/runtime/${path}`, import.meta.url));

/** A process that sends what is stored, with a short lease. */
const program = `
  const { openSender } = await import(${built("webhooks/send/sender.js")});
  const { openDatabase } = await import(${built("db/index.js")});
  const { readRange } = await import(${built("values/addresses/ip-range.js")});
  const nothing = () => {};
  openSender({
    config: { secret: Buffer.alloc(32, 1), previousSecret: null, auth: { operators: [] } },
    db: openDatabase({ url: process.env.URL_OF_DATABASE, poolSize: 4, prepare: true }),
    clock: { now: () => new Date() },
    mailer: {},
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    allowed: [readRange("127.0.0.1")],
    onEnded: nothing,
    times: { mostMs: 1_000, leaseSeconds: 2, pollMs: 50 },
  }).start();
  setInterval(nothing, 1_000);
`;

const records = 30;
const each = 20;

test("none of hundreds of deliveries is lost or overtakes another of its record, though processes are killed", async () => {
  const webhooks = await openWebhooks();
  const receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 20);
  });
  const { id } = await webhooks.add(receiver.url);
  const names = Array.from({ length: records }, () => v7());
  const all = Array.from({ length: each }, (_, turn) =>
    names.map((record): [string, string] => [record, JSON.stringify([record, turn])]),
  );
  await webhooks.deliver(id, ...all.flat());
  const start = () =>
    spawn(process.execPath, ["--input-type=module", "--eval", program], {
      env: { ...process.env, URL_OF_DATABASE: webhooks.url },
      stdio: "inherit",
    });
  const alive: ChildProcess[] = [start(), start(), start()];
  const left = async () =>
    (await webhooks.rows(id)).filter(({ state }) => state === "waiting").length;
  let kills = 0;
  for (let before = records * each; before > 0; ) {
    await sleep(700);
    const now = await left();
    // On a busy machine processes take longer than that to start: some work is done between two kills.
    if (now > Math.max(0, before - 20)) continue;
    before = now;
    const first = alive.shift();
    first?.kill("SIGKILL");
    alive.push(start());
    kills += 1;
  }
  for (const one of alive) one.kill("SIGKILL");
  await Promise.all(alive.map((one) => one.exitCode ?? one.signalCode ?? once(one, "exit")));
  expect((await webhooks.rows(id)).every(({ state }) => state === "succeeded")).toBe(true);
  const sent = receiver.received.map(({ body }): [string, number] => JSON.parse(body));
  for (const record of names) {
    const turns = sent.filter(([name]) => name === record).map(([, turn]) => turn);
    expect(new Set(turns).size).toBe(each);
    expect(turns).toEqual(turns.toSorted((one, other) => one - other));
  }
  console.info(JSON.stringify({ kills, twice: sent.length - records * each }));
  expect(kills).toBeGreaterThan(3);
  await receiver.close();
  await webhooks.close();
}, 240_000);
