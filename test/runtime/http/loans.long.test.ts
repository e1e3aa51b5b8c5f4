import fc from "fast-check";
import { expect, test } from "vitest";
import { newBorrower } from "../../../runtime/http/limits/borrower.js";
import { newLender, type Question } from "../../../runtime/http/limits/lender.js";
import type { Judge } from "../../../runtime/http/limits/limiter.js";
import { tries } from "../../support/searches.js";

const rate = { count: 1_400, seconds: 1 };
const span = 1_000;

/** Milliseconds that a message may take, in either direction. */
const maxDelay = 8;

/** Milliseconds in which a refusal waits for places of workers that have died. */
const patience = 600;

interface Passed {
  readonly at: number;
  readonly left: number;
}

/** A machine of three workers with a clock of its own, which stands still while something happens. */
function newMachine(delays: () => number) {
  let time = 0;
  const events: { at: number; work: () => void }[] = [];
  /** After all that is to happen by then. */
  const after = (ms: number, work: () => void) => {
    const at = time + ms;
    const before = events.findLastIndex((event) => event.at <= at);
    events.splice(before + 1, 0, { at, work });
  };
  const lender = newLender(3, () => time);
  const passed: Passed[] = [];
  const refused: { asked: number; at: number }[] = [];
  let questions = 0;
  let lent = 0;

  function newWorker(): { judge: Judge; die(): void } {
    let isAlive = true;
    // A channel keeps the order of its messages.
    let there = 0;
    let back = 0;
    const send = (work: () => void) => {
      there = Math.max(there, time + delays());
      after(there - time, work);
    };
    const judge = newBorrower(
      {
        ask: (question) =>
          new Promise((resolve) => {
            questions += 1;
            send(() => {
              const judgement = lender.judge(question);
              if (judgement.loan !== null) lent += judgement.loan.places;
              back = Math.max(back, time + delays());
              after(back - time, () => isAlive && resolve(judgement));
            });
          }),
        giveBack: (key, loan) => send(() => lender.takeBack(key, loan)),
      },
      { now: () => time, after: (ms, work) => after(ms, () => isAlive && work()) },
    );
    return {
      judge,
      die: () => {
        isAlive = false;
      },
    };
  }

  const workers = [newWorker(), newWorker(), newWorker()];

  return {
    passed,
    refused,
    after,
    counts: () => ({ questions, lent }),
    request(worker: number) {
      const asked = time;
      void Promise.resolve(workers[worker]?.judge("per_client", "one", rate)).then((verdict) => {
        if (verdict === null || verdict === undefined) return;
        if (verdict.isAllowed) passed.push({ at: time, left: verdict.left });
        else refused.push({ asked, at: time });
      });
    },
    kill(worker: number) {
      workers[worker]?.die();
      workers[worker] = newWorker();
    },
    async run() {
      while (events.length > 0) {
        const { at, work } = events.shift() ?? { at: time, work: () => {} };
        time = at;
        work();
        // What waits for promises goes on.
        for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
      }
    },
  };
}

/** The most that were in any span. */
function most(times: readonly number[], width: number): number {
  let from = 0;
  let found = 0;
  times.forEach((time, at) => {
    while ((times[from] ?? time) <= time - width) from += 1;
    found = Math.max(found, at - from + 1);
  });
  return found;
}

const bursts = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 3_500 }),
    worker: fc.integer({ min: 0, max: 2 }),
    requests: fc.integer({ min: 1, max: 600 }),
    /** Milliseconds in which they come. */
    within: fc.integer({ min: 0, max: 300 }),
  }),
  { minLength: 4, maxLength: 14 },
);

async function play(
  all: readonly { at: number; worker: number; requests: number; within: number }[],
  delays: readonly number[],
  deaths: readonly { at: number; worker: number }[],
) {
  let next = 0;
  const machine = newMachine(() => delays[next++ % delays.length] ?? 0);
  for (const { at, worker, requests, within } of all) {
    for (let sent = 0; sent < requests; sent += 1) {
      machine.after(at + Math.floor((sent * within) / requests), () => machine.request(worker));
    }
  }
  for (const { at, worker } of deaths) machine.after(at, () => machine.kill(worker));
  await machine.run();
  return machine;
}

/** Workers that are lent places, then more requests than may pass, and again as soon as the first may be free. */
const fullSpans = fc
  .record({
    steady: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 3 }),
    lasting: fc.integer({ min: 20, max: 160 }),
    full: fc.integer({ min: 0, max: 2 }),
    again: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ steady, lasting, full, again }) => [
    ...steady.map((each, worker) => ({ at: 0, worker, requests: each * lasting, within: lasting })),
    { at: lasting, worker: full, requests: 1_600, within: 10 },
    { at: span - 20, worker: again, requests: 3_000, within: 300 },
  ]);

const delays = fc.array(fc.integer({ min: 0, max: maxDelay }), { minLength: 1, maxLength: 9 });
const deaths = fc.array(
  fc.record({ at: fc.integer({ min: 0, max: 3_500 }), worker: fc.integer({ min: 0, max: 2 }) }),
  { maxLength: 3 },
);

test("never more pass than may in a span, whatever is lent and whoever dies", async () => {
  let lent = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(bursts, fullSpans), delays, deaths, async (all, slow, dying) => {
      const machine = await play(all, slow, dying);
      lent += machine.counts().lent;
      // The lender judges before the answer is under way, as it does without loans.
      const times = machine.passed.map(({ at }) => at);
      expect(most(times, span - maxDelay)).toBeLessThanOrEqual(rate.count);
    }),
    { numRuns: tries(40), seed: 33 },
  );
  expect(lent).toBeGreaterThan(0);
});

test("nobody is refused while fewer passed in the span and a tenth of it", async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(bursts, fullSpans), delays, async (all, slow) => {
      const { passed, refused } = await play(all, slow, []);
      refusals += refused.length;
      for (const { at } of refused.filter((_, index) => index % 7 === 0)) {
        const from = at - maxDelay - span * 1.1;
        // Some that pass at the same time are told so later.
        const those = passed.filter((one) => one.at > from && one.at <= at + maxDelay);
        expect(those.length).toBeGreaterThanOrEqual(rate.count);
      }
    }),
    { numRuns: tries(40), seed: 34 },
  );
  expect(refusals).toBeGreaterThan(0);
});

test("a refusal waits for the places of workers that have died, though not for long", async () => {
  const machine = newMachine(() => 1);
  for (let sent = 0; sent < 40; sent += 1) machine.after(sent, () => machine.request(0));
  machine.after(41, () => machine.kill(0));
  for (let sent = 0; sent < 1_500; sent += 1) machine.after(45, () => machine.request(1));
  await machine.run();
  expect(machine.refused.length).toBeGreaterThan(0);
  for (const { asked, at } of machine.refused) expect(at - asked).toBeLessThan(patience);
});

test("places that were lent and not used come back", async () => {
  const machine = newMachine(() => 1);
  for (let sent = 0; sent < 200; sent += 1) machine.after(sent, () => machine.request(0));
  await machine.run();
  const { questions, lent } = machine.counts();
  expect(lent).toBeGreaterThan(0);
  expect(questions).toBeLessThan(60);
  // Of one worker each has one place fewer than the one before.
  expect(machine.passed.map(({ left }) => left).sort((one, other) => other - one)).toEqual(
    machine.passed.map((_, at) => rate.count - 1 - at),
  );
  for (let sent = 0; sent < 1_300; sent += 1) machine.after(200, () => machine.request(2));
  await machine.run();
  expect([machine.passed.length, machine.refused.length]).toEqual([1_400, 100]);
});

test("what is lent counts as used when the loan ends, and what is given back does not", () => {
  let time = 0;
  const lender = newLender(1, () => time);
  const one = { key: "one", rate, requests: 1, wish: 0 } as const;
  const { loan, left } = lender.judge({ ...one, wish: 100 });
  expect([loan, left]).toMatchObject([{ places: 100, ms: 90 }, 1_399]);
  // The worker may use them until then.
  time = 89;
  lender.takeBack("one", { group: loan?.group ?? -1, places: 100, unused: 30 });
  for (let sent = 0; sent < 1_329; sent += 1) expect(lender.judge(one).isAllowed).toBe(true);
  expect(lender.judge(one)).toMatchObject({ isAllowed: false, isFinal: true });
  time = 1_089;
  expect(lender.judge(one).isAllowed).toBe(false);
  time = 1_090;
  expect(lender.judge(one)).toMatchObject({ isAllowed: true, left: 1_399 });
});

test("a renewal that is refused is not asked for again", async () => {
  let time = 0;
  const asked: Question[] = [];
  const loan = { group: 0, places: 100, ms: 90 };
  const judge = newBorrower(
    {
      ask: (question) => {
        asked.push(question);
        const isLent = question.requests === 1 && question.wish > 0;
        const verdict = { isAllowed: question.requests === 1, left: 5_000, seconds: 1 };
        return Promise.resolve({ ...verdict, loan: isLent ? loan : null, isFinal: isLent });
      },
      giveBack: () => {},
    },
    {
      now: () => time,
      // What asks again waits for 10 ms; what ends loans, longer.
      after: (ms, work) => {
        if (ms === 10) void Promise.resolve().then(work);
      },
    },
  );
  for (let sent = 0; sent < 120; sent += 1) {
    await judge("per_client", "one", rate);
    if (asked.some(({ requests }) => requests === 0)) break;
    time += 0.5;
  }
  const before = asked.length;
  expect(asked.at(-1)?.requests).toBe(0);
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  expect(asked.length).toBe(before);
});

test("near its limit a key is lent nothing", () => {
  const lender = newLender(1, () => 0);
  const rate = { count: 1_000, seconds: 60 };
  expect(lender.judge({ key: "small", rate, requests: 1, wish: 100 })).toMatchObject({
    left: 999,
    loan: null,
  });
});
