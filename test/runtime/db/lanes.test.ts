import { expect, test } from "vitest";
import { newLanes } from "../../../runtime/db/pool/lanes.js";
import { QueueTimeout } from "../../../runtime/db/statement/sqlstate.js";

function lanesOf(waitMs = 5_000) {
  return newLanes({ width: 2, waitMs });
}

/** Work that continues until it is told to end, and records when it began. */
function newWork() {
  const turns: number[] = [];
  const ends: (() => void)[] = [];
  return {
    turns,
    run: () =>
      new Promise<void>((resolve) => {
        turns.push(performance.now());
        ends.push(resolve);
      }),
    end: () => ends.shift()?.(),
  };
}

test("only a fixed number of one name runs, the others follow in order", async () => {
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

test("writes leave slots of their name to reads", async () => {
  const lanes = newLanes({ width: 2, writes: 1, waitMs: 5_000 });
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

test("few searches run at once, and one that waits for its lane leaves room to those of others", async () => {
  const lanes = newLanes({ width: 1, searches: 1, waitMs: 5_000 });
  const [reading, searching, beside] = [newWork(), newWork(), newWork()];
  const read = lanes.run("one", reading.run);
  const search = lanes.run("one", searching.run, { kind: "search" });
  const others = ["two", "three"].map((name) => lanes.run(name, beside.run, { kind: "search" }));
  await Promise.resolve();
  expect([searching.turns.length, beside.turns.length]).toEqual([0, 1]);
  reading.end();
  await read;
  expect([searching.turns.length, beside.turns.length]).toEqual([0, 1]);
  // The lane of a search that waits is free for reads.
  const next = lanes.run("one", reading.run);
  expect(reading.turns).toHaveLength(2);
  beside.end();
  await expect.poll(() => beside.turns.length).toBe(2);
  reading.end();
  await next;
  expect(searching.turns).toHaveLength(0);
  beside.end();
  await expect.poll(() => searching.turns.length).toBe(1);
  searching.end();
  await Promise.all([search, ...others]);
});

test("a failure frees its slot", async () => {
  const lanes = lanesOf();
  for (let count = 0; count < 5; count += 1) {
    await expect(lanes.run("one", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  }
  expect(await lanes.run("one", async () => "done")).toBe("done");
});

test("patient requests wait longer, but only a fixed number of them", async () => {
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

test("a request that waits too long is refused, and its slot goes to the next", async () => {
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
