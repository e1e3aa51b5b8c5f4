import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { newFairness } from "../../../runtime/db/pool/fairness.js";
import { QueueTimeout } from "../../../runtime/db/statement/sqlstate.js";

/** Two slow ones of a client at once, four quick ones; the clock stands still. */
function newCrowd(waitMs = 5_000) {
  let time = 0;
  const fairness = newFairness({ width: 2, most: 4, waitMs, now: () => time });
  const running: { readonly name: string; readonly end: () => void }[] = [];
  return {
    /** One after the other, each client's number in its name. */
    ask: (client: string | null, count: number) =>
      Array.from({ length: count }, (_, at) =>
        fairness.run(
          client,
          () =>
            new Promise<void>((resolve) => {
              running.push({ name: `${client}${at}`, end: resolve });
            }),
        ),
      ),
    names: () => running.map(({ name }) => name),
    /** Ends the first of those that run, so many milliseconds after the last step. */
    async end(after: number): Promise<void> {
      time += after;
      running.shift()?.end();
      await turn();
    },
    pass(milliseconds: number): void {
      time += milliseconds;
    },
  };
}

test("two of a client's slow statements run at once, in order, and those of others start at once", async () => {
  const crowd = newCrowd();
  const all = crowd.ask("a", 5);
  expect(crowd.names()).toEqual(["a0", "a1"]);
  all.push(...crowd.ask("b", 3));
  expect(crowd.names()).toEqual(["a0", "a1", "b0", "b1"]);
  await crowd.end(30);
  expect(crowd.names()).toEqual(["a1", "b0", "b1", "a2"]);
  for (let left = 7; left > 0; left -= 1) await crowd.end(30);
  await Promise.all(all);
});

test("each quick statement allows one more at once, up to all connections", async () => {
  const crowd = newCrowd();
  const all = crowd.ask("a", 12);
  await crowd.end(1);
  expect(crowd.names()).toHaveLength(3);
  for (let ended = 0; ended < 4; ended += 1) await crowd.end(1);
  expect(crowd.names()).toHaveLength(4);
  for (let left = 7; left > 0; left -= 1) await crowd.end(1);
  await Promise.all(all);
});

test("a slow statement limits its client to two for a second, even with quick ones among them", async () => {
  const crowd = newCrowd();
  const all = crowd.ask("a", 300);
  for (let ended = 0; ended < 3; ended += 1) await crowd.end(1);
  expect(crowd.names()).toHaveLength(4);
  // Its age shows before it ends.
  crowd.pass(30);
  for (let ended = 0; ended < 2; ended += 1) await crowd.end(0);
  expect(crowd.names()).toHaveLength(2);
  for (let ended = 0; ended < 240; ended += 1) await crowd.end(4);
  expect(crowd.names()).toHaveLength(2);
  for (let ended = 0; ended < 20; ended += 1) await crowd.end(4);
  expect(crowd.names().length).toBeGreaterThan(2);
  while (crowd.names().length > 0) await crowd.end(1);
  await Promise.all(all);
});

test("a statement that waits too long fails, and a failure frees its slot", async () => {
  const crowd = newCrowd(20);
  const [first, second, late] = crowd.ask("a", 3);
  await expect(late).rejects.toBeInstanceOf(QueueTimeout);
  await crowd.end(30);
  await first;
  const fairness = newFairness({ width: 1, most: 1, waitMs: 5_000 });
  const fail = () => Promise.reject(new Error("no"));
  const all = [1, 2, 3].map(() => fairness.run("a", fail));
  for (const one of all) await expect(one).rejects.toThrow("no");
  await crowd.end(0);
  await second;
});

test("a statement with a limit to its waits fails by then", async () => {
  const fairness = newFairness({ width: 1, most: 1, waitMs: 60_000 });
  let end = () => {};
  const held = fairness.run("a", () => new Promise<void>((resolve) => (end = resolve)));
  const late = fairness.run("a", () => turn(), performance.now() + 10);
  await expect(late).rejects.toBeInstanceOf(QueueTimeout);
  end();
  await held;
});

test("work without a client is never queued", async () => {
  const crowd = newCrowd();
  const all = crowd.ask(null, 9);
  expect(crowd.names()).toHaveLength(9);
  for (let left = 9; left > 0; left -= 1) await crowd.end(30);
  await Promise.all(all);
});
