import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  longestWait,
  mayWait,
  mostAfter,
  newPace,
  noteAlone,
  noteSeveral,
  noteSingle,
  type Pace,
} from "../../../runtime/resource/write/join/pace.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

/** Stores as many together as may be, where a statement takes `own` and each record `each` milliseconds. */
function store(
  pace: Pace,
  {
    own,
    each,
    load = 1,
    statements = 30,
  }: Record<"own" | "each", number> & {
    load?: number;
    statements?: number;
  },
): void {
  for (let at = 0; at < statements; at += 1) {
    noteSingle(pace, own + each);
    const rows = mayWait(pace) ? mostAfter(pace, { waited: waitedBy(pace), load }) : 1;
    if (rows > 1) noteSeveral(pace, rows, own + rows * each);
  }
}

/** Less than half of the own time: so long a record waits on average for the end of another statement. */
function waitedBy({ single }: Pace): number {
  return 0.4 * (single ?? 0);
}

test.each([
  { own: 5, each: 0.1 },
  { own: 1, each: 0.1 },
  { own: 1, each: 0.4 },
  { own: 40, each: 10 },
])("a record takes twice its own time at most: %o", ({ own, each }) => {
  const pace = newPace(10);
  store(pace, { own, each });
  const waited = waitedBy(pace);
  const rows = mostAfter(pace, { waited });
  expect(rows).toBeGreaterThan(1);
  expect(waited + own + rows * each).toBeLessThanOrEqual(2 * (own + each) + 0.001);
  // One that has not waited can be stored with more.
  expect(mostAfter(pace, { waited: 0 })).toBeGreaterThanOrEqual(rows);
});

test("no more are stored together than fifty, however little they add", () => {
  const pace = newPace(10);
  store(pace, { own: 5, each: 0 });
  expect(mostAfter(pace, { waited: 0 })).toBe(50);
});

test.each([
  [10, 50],
  [100, 50],
  [5, 20],
  [4, 20],
  [3, 10],
  [2, 10],
  [1, 10],
])(
  "with %i connections no more than %i, so that a lock holds them up for as long",
  (poolSize, rows) => {
    const pace = newPace(poolSize);
    store(pace, { own: 5, each: 0 });
    expect(mostAfter(pace, { waited: 0 })).toBe(rows);
  },
);

test("at first two are tried, then twice as many each time", () => {
  const pace = newPace(10);
  noteSingle(pace, 10);
  const tried = [];
  for (let at = 0; at < 6; at += 1) {
    const rows = mostAfter(pace, { waited: 0 });
    tried.push(rows);
    noteSeveral(pace, rows, 10);
  }
  expect(tried).toEqual([2, 4, 8, 16, 32, 50]);
});

test("none waits where each record takes as long as a statement, and that is tried ever more rarely", () => {
  const pace = newPace(10);
  store(pace, { own: 0.5, each: 20, statements: 10 });
  expect(mayWait(pace)).toBe(false);
  const tries: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    let tried = 0;
    for (let at = 0; at < 100; at += 1) {
      vi.advanceTimersByTime(10);
      if (!mayWait(pace)) continue;
      tried += 1;
      noteSeveral(pace, 2, 40.5);
    }
    tries.push(tried);
  }
  expect(tries.slice(0, 2).reduce((sum, one) => sum + one, 0)).toBeGreaterThan(15);
  // Four or five times in forty seconds, with five statements each.
  const last = tries.slice(20).reduce((sum, one) => sum + one, 0);
  expect(last).toBeLessThanOrEqual(5 * 5);
  expect(last).toBeGreaterThanOrEqual(3 * 5);
});

test("they are stored together again when records have become cheap", () => {
  const pace = newPace(10);
  store(pace, { own: 1, each: 20, statements: 10 });
  expect(mayWait(pace)).toBe(false);
  vi.advanceTimersByTime(10_000);
  store(pace, { own: 1, each: 0.1, statements: 60 });
  expect(mayWait(pace)).toBe(true);
  expect(mostAfter(pace, { waited: 0 })).toBeGreaterThan(5);
});

test("records that become slow are few together after some statements", () => {
  const pace = newPace(10);
  store(pace, { own: 1, each: 0.05 });
  expect(mostAfter(pace, { waited: 0 })).toBeGreaterThan(10);
  store(pace, { own: 1, each: 20, statements: 20 });
  expect(mayWait(pace)).toBe(false);
});

test("one statement that waited long changes little", () => {
  const pace = newPace(10);
  for (let at = 0; at < 10; at += 1) noteSingle(pace, 2);
  noteSingle(pace, 2_000);
  expect(pace.single).toBeLessThan(2.5);
});

test("no record waits for as long as it would take by itself, and for ten milliseconds where that is unknown", () => {
  const pace = newPace(10);
  expect(longestWait(pace)).toBe(10);
  expect(mostAfter(pace, { waited: 10 })).toBe(1);
  noteSingle(pace, 20);
  expect(longestWait(pace)).toBe(15);
  expect(longestWait(pace, 0.5)).toBe(15);
  // What a further one adds is taken for half a statement until it is measured.
  expect(longestWait(pace, 2)).toBe(22.5);
});

test("where each would wait for a connection, as many more are stored together", () => {
  const rowsAt = (load: number) => {
    const pace = newPace(10);
    store(pace, { own: 3, each: 1, load });
    return mostAfter(pace, { waited: 2, load });
  };
  expect(rowsAt(0.1)).toBe(rowsAt(1));
  expect(rowsAt(3)).toBeGreaterThan(2 * rowsAt(1));
  // A wait of 2 and a statement of 3 and 1 for each, against twice three statements of 4 one after the other.
  expect(2 + 3 + rowsAt(3)).toBeLessThanOrEqual(2 * 3 * 4 + 0.001);
});

test.each([1, 2, 3, 4, 5])(
  "one delay does not tell that it does not pay, as statement %i of five",
  (late) => {
    const pace = newPace(10);
    noteSingle(pace, 1);
    for (let at = 1; at <= 5; at += 1) noteSeveral(pace, 2, at === late ? 200 : 1.1);
    expect(mayWait(pace)).toBe(true);
    // Nor later, when most of what is known is of statements before it.
    for (let at = 0; at < 10; at += 1) noteSeveral(pace, 2, 1.1);
    noteSeveral(pace, 2, 200);
    expect(mayWait(pace)).toBe(true);
  },
);

test("two statements do not tell it either, however many records they have", () => {
  const pace = newPace(10);
  noteSingle(pace, 1);
  noteSeveral(pace, 2, 2);
  noteSeveral(pace, 4, 4);
  expect(mayWait(pace)).toBe(true);
  expect(mostAfter(pace, { waited: 0 })).toBe(2);
  for (let at = 0; at < 3; at += 1) noteSeveral(pace, 2, 2);
  expect(mayWait(pace)).toBe(false);
});

test("delays of single statements do not make the records of others seem dear", () => {
  const pace = newPace(10);
  for (let at = 0; at < 200; at += 1) {
    noteSingle(pace, at % 10 === 0 ? 8 : 1);
    noteSeveral(pace, 2, at % 10 === 5 ? 8.05 : 1.05);
  }
  expect(pace.mayPay).toBe(true);
});

test("while records are stored together one in a tenth of a second is not, so that its time stays known", () => {
  const pace = newPace(10);
  noteSingle(pace, 40);
  const asked: boolean[] = [];
  for (let at = 0; at < 100; at += 1) {
    vi.advanceTimersByTime(10);
    const may = mayWait(pace);
    asked.push(may);
    if (may) noteSeveral(pace, 5, 5.5);
    else noteSingle(pace, 5);
  }
  expect(asked.filter((may) => !may).length).toBe(10);
  expect(pace.single).toBeLessThan(20);
});

test("who waited in vain five times does not wait for a second", () => {
  const pace = newPace(10);
  noteSingle(pace, 20);
  for (let at = 0; at < 5; at += 1) {
    expect(mayWait(pace)).toBe(true);
    noteAlone(pace);
  }
  expect(mayWait(pace)).toBe(false);
  vi.advanceTimersByTime(900);
  noteSingle(pace, 20);
  expect(mayWait(pace)).toBe(false);
  vi.advanceTimersByTime(150);
  noteSingle(pace, 20);
  expect(mayWait(pace)).toBe(true);
  // Others that come show that it is not in vain.
  for (let at = 0; at < 20; at += 1) {
    noteAlone(pace);
    noteSeveral(pace, 2, 21);
  }
  expect(mayWait(pace)).toBe(true);
});

test("no statement is expected to take longer than a lent connection allows", () => {
  const pace = newPace(10);
  store(pace, { own: 20, each: 5, load: 10 });
  const rows = mostAfter(pace, { waited: 0, load: 10 });
  expect(rows).toBeGreaterThan(10);
  expect(20 + rows * 5).toBeLessThanOrEqual(100);
  const slow = newPace(10);
  noteSingle(slow, 60);
  expect(mayWait(slow)).toBe(false);
});
