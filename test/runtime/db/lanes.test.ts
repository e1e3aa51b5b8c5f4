import { expect, test } from "vitest";
import { newLanes, type Slot } from "../../../runtime/db/pool/lanes.js";
import { QueueTimeout } from "../../../runtime/db/statement/sqlstate.js";

class Stuck extends Error {}

function lanesOf(waitMs = 5_000) {
  return newLanes({ width: 2, totalSlots: 4, waitMs, isStuck: (error) => error instanceof Stuck });
}

/** Work that continues until it is told to end, and records which slots it had. */
function newWork() {
  const turns: Slot[] = [];
  const ends: ((error?: Error) => void)[] = [];
  return {
    turns,
    run: (turn: Slot = "own") =>
      new Promise<Slot>((resolve, reject) => {
        turns.push(turn);
        ends.push((error) => (error === undefined ? resolve(turn) : reject(error)));
      }),
    end: (error?: Error) => ends.shift()?.(error),
    endLast: (error?: Error) => ends.pop()?.(error),
  };
}

test("only so many of one name are at work, the others come in their order", async () => {
  const lanes = lanesOf();
  const [one, other] = [newWork(), newWork()];
  const all = Array.from({ length: 3 }, () => lanes.run("one", one.run));
  const beside = lanes.run("other", other.run);
  await Promise.resolve();
  expect([one.turns.length, other.turns.length]).toEqual([2, 1]);
  one.end();
  await all[0];
  await expect.poll(() => one.turns.length).toBe(3);
  one.end();
  one.end();
  other.end();
  await Promise.all([...all, beside]);
});

test("writes leave turns of their name to reads", async () => {
  const lanes = newLanes({
    width: 2,
    writes: 1,
    totalSlots: 4,
    waitMs: 5_000,
    isStuck: () => false,
  });
  const [writing, reading] = [newWork(), newWork()];
  const writes = Array.from({ length: 2 }, () => lanes.run("one", writing.run, { kind: "write" }));
  const reads = Array.from({ length: 2 }, () => lanes.run("one", reading.run));
  await Promise.resolve();
  expect([writing.turns.length, reading.turns.length]).toEqual([1, 1]);
  // The write that waits longest cannot have the turn.
  reading.end();
  await expect.poll(() => reading.turns.length).toBe(2);
  expect(writing.turns).toHaveLength(1);
  writing.end();
  await expect.poll(() => writing.turns.length).toBe(2);
  reading.end();
  writing.end();
  await Promise.all([...writes, ...reads]);
});

test("what may be lent a turn gets one as long as there are places", async () => {
  const lanes = lanesOf();
  const [one, other] = [newWork(), newWork()];
  const all = Array.from({ length: 5 }, () => lanes.runAnywhere("one", one.run));
  expect(one.turns).toEqual(["own", "own", "lent", "lent"]);
  // A name's own turns are never lent away.
  const beside = [lanes.runAnywhere("other", other.run), lanes.runAnywhere("other", other.run)];
  expect(other.turns).toEqual(["own", "own"]);
  // With six at work on four places a lent turn is not passed on.
  one.endLast();
  await all[3];
  expect(one.turns).toHaveLength(4);
  one.end();
  await all[0];
  expect(one.turns).toEqual(["own", "own", "lent", "lent", "own"]);
  for (let left = 0; left < 3; left += 1) one.end();
  other.end();
  other.end();
  await Promise.all([...all, ...beside]);
});

test("work that is stuck on a lent turn waits for one of its own, and no more is lent for a while", async () => {
  const lanes = lanesOf();
  const work = newWork();
  const all = Array.from({ length: 3 }, () => lanes.runAnywhere("one", work.run));
  expect(work.turns).toEqual(["own", "own", "lent"]);
  work.endLast(new Stuck());
  await new Promise((resolve) => setTimeout(resolve, 0));
  const late = lanes.runAnywhere("one", work.run);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(work.turns).toHaveLength(3);
  work.end();
  await expect.poll(() => work.turns).toEqual(["own", "own", "lent", "own"]);
  work.end();
  await expect.poll(() => work.turns).toEqual(["own", "own", "lent", "own", "own"]);
  work.end();
  work.end();
  expect(await Promise.all([...all, late])).toEqual(["own", "own", "own", "own"]);
});

test("what fails keeps no turn, and on a turn of its own is not tried again", async () => {
  const lanes = lanesOf();
  for (let count = 0; count < 5; count += 1) {
    await expect(lanes.runAnywhere("one", () => Promise.reject(new Stuck()))).rejects.toThrow(
      Stuck,
    );
  }
  expect(await lanes.run("one", async () => "done")).toBe("done");
});

test("who is patient waits longer, but only so many do", async () => {
  const lanes = lanesOf(0);
  const work = newWork();
  const patience = { until: performance.now() + 60_000, most: 2 };
  const all = Array.from({ length: 4 }, () =>
    lanes.run("one", work.run, { kind: "write", patience }),
  );
  await expect(lanes.run("one", work.run, { kind: "write", patience })).rejects.toThrow(
    QueueTimeout,
  );
  await expect(lanes.run("one", work.run)).rejects.toThrow(QueueTimeout);
  const late = { ...patience, until: performance.now() };
  const [first, second] = all;
  work.end();
  work.end();
  await Promise.all([first, second]);
  await expect(lanes.run("one", work.run, { kind: "write", patience: late })).rejects.toThrow(
    QueueTimeout,
  );
  expect(work.turns).toHaveLength(4);
  work.end();
  work.end();
  await Promise.all(all);
});

test("who waits too long is sent away, and its turn goes to the next", async () => {
  const lanes = lanesOf(20);
  const work = newWork();
  const held = [lanes.run("one", work.run), lanes.run("one", work.run)];
  await expect(lanes.run("one", work.run)).rejects.toThrow(QueueTimeout);
  work.end();
  await held[0];
  const next = lanes.run("one", work.run);
  expect(work.turns).toHaveLength(3);
  work.end();
  work.end();
  await Promise.all([...held, next]);
});
