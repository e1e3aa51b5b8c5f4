import {
  type Access,
  type Database,
  isConnectionLost,
  notePending,
  sqlState,
  timeLimit,
} from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { WorkQueue } from "../../../queue/index.js";
import type { Table } from "../../table/table.js";
import type { Written } from "../operation.js";
import { forgetTriggers, isFreeOfTriggers, type Stored } from "./app-triggers.js";
import type { Joint, JointRow, Outcome, Sent } from "./joint.js";

/**
 * Maximum number of running statements before writes are queued: while PostgreSQL runs one, this process prepares the
 * next.
 */
const maxRunning = 2;

/**
 * Maximum number of milliseconds in the queue before a write is sent: a running statement may itself wait for a lock.
 */
const waitMs = 10;

/**
 * Rows per statement: at first, and at most. At 50 rows the fixed cost of 0.3 ms of CPU time is 6 µs per row, compared
 * to 120 µs for the row itself: more rows gain nothing.
 */
const rows = { first: 4, most: 50 };

/**
 * A statement is slow if it takes more than `least` milliseconds and `times` as long as one for a single record. The
 * next has half as many rows. After a fast and full statement, the next may have twice as many.
 */
const slow = { times: 2, least: 20 };

/**
 * Milliseconds that a statement waits for a lock. After `several` its writes are sent one by one. After `one` a single
 * write is queued separately, and waits up to the limit of any statement, unless it is older than `alone`.
 */
const lockMs = { several: 10, one: 1, alone: 2_000 };

/**
 * Milliseconds without joined writes after PostgreSQL refused a shared statement, since each of its writes then ran
 * twice.
 */
const refusedMs = 200;

/** `Retry-After` in seconds: the lock has already been held for about as long. */
const retryAfter = 2;

/** The queue of one kind of writes to a resource that a single statement can store. */
export interface Joining {
  readonly kind: Kind;
  /** The ids of records that are being stored. */
  readonly storing: Set<string>;
  waiting: Waiting[];
  timer: NodeJS.Timeout | undefined;
  running: number;
  /** Maximum number of records in the next statement. */
  most: number;
  /** Milliseconds for a single record: the recent minimum. */
  single: number;
  /** Until this `performance.now()`, writes are stored separately. */
  aloneUntil: number;
}

/** How writes of one kind are stored. */
interface Kind {
  readonly db: Database;
  readonly access: Access;
  readonly table: Table<never>;
  readonly joint: Joint;
  /** Writes that wait for a lock. */
  readonly held: WorkQueue;
}

interface Waiting {
  readonly sent: Sent;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

export function newJoining(kind: Kind): Joining {
  return {
    kind,
    storing: new Set(),
    waiting: [],
    timer: undefined,
    running: 0,
    most: rows.first,
    single: Number.POSITIVE_INFINITY,
    aloneUntil: 0,
  };
}

/**
 * Stores a write together with others if several are being stored. Otherwise calls `alone`, which also finds the reason
 * for a refusal.
 */
export async function storeJoined(
  joining: Joining,
  sent: Sent,
  alone: () => Promise<Written>,
): Promise<Written> {
  const { storing, kind } = joining;
  const since = performance.now();
  const wait = () => kind.held.run(() => inTime(since, alone));
  // A second change of the same record waits for the first one's lock.
  if (storing.has(sent.id)) return wait();
  storing.add(sent.id);
  try {
    if (joining.running < maxRunning) return await counted(joining, () => timed(joining, alone));
    if (!isFreeOfTriggers(kind.db, kind.access, writesOf(kind))) return await alone();
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const one = { sent, resolve, reject };
      if (since < joining.aloneUntil) void run(joining, [one]);
      else enqueue(joining, one);
    });
    if (outcome === "locked") return await wait();
    return outcome === "refused" ? await alone() : outcome;
  } finally {
    storing.delete(sent.id);
  }
}

async function inTime<T>(since: number, work: () => Promise<T>): Promise<T> {
  const isLate = performance.now() - since >= lockMs.alone;
  return isLate ? refuse("UNAVAILABLE", { retryAfter }) : work();
}

function enqueue(joining: Joining, one: Waiting): void {
  joining.waiting.push(one);
  notePending(1);
  joining.timer ??= setTimeout(() => runWaiting(joining), waitMs);
}

function runWaiting(joining: Joining): void {
  const { waiting, timer, most } = joining;
  clearTimeout(timer);
  joining.timer = undefined;
  joining.waiting = [];
  notePending(-waiting.length);
  for (let at = 0; at < waiting.length; at += most) void run(joining, waiting.slice(at, at + most));
}

/** Counts a running statement, then stores queued writes. */
async function counted<T>(joining: Joining, work: () => Promise<T>): Promise<T> {
  joining.running += 1;
  try {
    return await work();
  } finally {
    joining.running -= 1;
    if (joining.waiting.length > 0) runWaiting(joining);
  }
}

/** Measures a single write. Its time may include waiting for a connection or a lock, so only the minimum is kept. */
async function timed<T>(joining: Joining, alone: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const stored = await alone();
  joining.single = Math.min(performance.now() - began, 1.25 * joining.single);
  return stored;
}

/** Stores writes with one statement, or one by one if that would wait for a lock. */
async function run(joining: Joining, some: readonly Waiting[]): Promise<void> {
  const { kind } = joining;
  const sent = some.map((one) => one.sent);
  try {
    const found = await counted(joining, () => attempt(joining, sent));
    if (found !== null) {
      const outcomes = kind.joint.outcomes(sent, found);
      for (const [at, { resolve }] of some.entries()) resolve(outcomes[at] ?? "refused");
    } else if (some.length === 1) {
      for (const { resolve } of some) resolve("locked");
    } else {
      joining.aloneUntil = performance.now() + lockMs.alone;
      for (const one of some) void run(joining, [one]);
    }
  } catch (error) {
    if (!isRefused(error)) {
      for (const { reject } of some) reject(error);
      return;
    }
    forgetTriggers(kind.db, writesOf(kind));
    if (some.length > 1) joining.aloneUntil = performance.now() + refusedMs;
    for (const { resolve } of some) resolve("refused");
  }
}

/** Runs the statement; null if it would wait for a lock. */
async function attempt(
  joining: Joining,
  sent: readonly Sent[],
): Promise<readonly JointRow[] | null> {
  const { access, joint } = joining.kind;
  const parameters = joint.parameters(sent, sent.length > 1 ? lockMs.several : lockMs.one);
  let began = performance.now();
  const found = await access.attempt<JointRow>(joint.text, parameters, () => {
    began = performance.now();
  });
  joining.most = mostAfter(joining, sent.length, performance.now() - began);
  return found;
}

/** The new limit for the next statement, after one with this many records and this duration. */
function mostAfter({ most, single }: Joining, count: number, took: number): number {
  if (took > Math.max(slow.least, slow.times * single)) return Math.max(1, count >> 1);
  return count < most ? most : Math.min(2 * most, rows.most);
}

function writesOf({ table, joint }: Kind): Stored {
  return { table, event: joint.event };
}

/** Whether PostgreSQL refused a shared statement; its writes may succeed separately. */
function isRefused(error: unknown): boolean {
  return sqlState(error) !== null && !isConnectionLost(error) && timeLimit(error) === null;
}
