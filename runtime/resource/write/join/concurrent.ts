import {
  type Access,
  isConnectionLost,
  notePending,
  sqlState,
  timeLimit,
} from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { Actor } from "../../../own-code/index.js";
import { currentRequest, startRequest } from "../../../request/index.js";
import type { Written } from "../operation.js";
import type { PreparedWrite } from "../prepare.js";
import { storeWrite } from "../store.js";
import { isDecidedByConstraints, isWorthJoining } from "./joinable.js";
import {
  type Joining,
  joiningOf,
  lockMs,
  noteLock,
  noteRefusal,
  type Traffic,
  type Waiting,
} from "./joining.js";
import { type JointRow, type Outcome, type Sent, sentBy } from "./joint.js";
import { forgetTriggers, isFreeOfTriggers } from "./own-triggers.js";
import { longestWait, mayWait, mostAfter, noteAlone, noteSeveral, noteSingle } from "./pace.js";

/**
 * As many statements of a resource run before new writes wait for the end of one: while PostgreSQL runs one, this
 * process makes the next. With one it waits in between; with four, fewer writes come together.
 */
const maxRunning = 2;

/**
 * Milliseconds that a statement waits for a lock. One write that has to wait holds up the others for 20 at
 * most: those that were sent with it for 10, and then each other such write for one, ten of them on each of the
 * resource's connections (`maxRows`).
 */
const patienceMs = { several: 10, one: 1 };

/** A write, and the statement that stores it by itself. */
interface Single {
  readonly joining: Joining;
  readonly sent: Sent;
  /** When it came, by the clock of `performance.now()`. */
  readonly since: number;
  store(): Promise<Written>;
}

/**
 * Stores a prepared write. A new record that only constraints can refuse is stored by one statement with others of
 * its resource, when several arrive at once, and so is a change with changes of the same fields of other records: one
 * commit serves them all. When that statement is refused, or leaves a write out, it is stored by one of its own, so that
 * its client is told why.
 *
 * Each write that is answered is stored once, as it was sent, and what is answered is stored: the statement runs only
 * where nothing of the app's own can change that, and its error undoes it. A write is stored again by itself only after a
 * refusal, of which nothing is left; when the connection is lost, nobody knows, and nothing is tried again.
 */
export async function joinConcurrent(
  actor: Actor,
  access: Access,
  prepared: PreparedWrite,
): Promise<Written> {
  const { write } = prepared;
  const request = currentRequest();
  const store = () => startRequest(request, () => storeWrite(actor, access, prepared));
  if (write.kind === "delete" || !isDecidedByConstraints(actor, write)) return store();
  const sent = sentBy(write);
  if (!isWorthJoining(sent.values)) return store();
  const joining = joiningOf(actor.services, access, write);
  if (joining === null) return store();
  const single = { joining, sent, since: performance.now(), store };
  if (write.kind === "create") return storeOrJoin(single);
  const { changing } = joining.traffic;
  // The second change of a record waits for the first one's lock.
  if (changing.has(sent.id)) return storeHeld(single);
  changing.add(sent.id);
  try {
    return await storeOrJoin(single);
  } finally {
    changing.delete(sent.id);
  }
}

async function storeOrJoin(single: Single): Promise<Written> {
  const { joining, store } = single;
  const { db, access, table, joint, traffic } = joining;
  if (traffic.running < maxRunning) return storeFirst(single);
  if (!isFreeOfTriggers(db, access, { table, event: joint.event })) return store();
  const outcome = await joinOthers(single);
  if (outcome === "single") return storeSingly(single);
  return written(outcome, single);
}

/** Waits until the write is stored with others. */
async function joinOthers({ joining, sent, since }: Single): Promise<Outcome | "single"> {
  if (since < joining.singleUntil || !mayWait(joining.pace)) return "single";
  return new Promise((resolve, reject) => {
    joining.waiting.push({ sent, since, resolve, reject });
    notePending(1);
    const wait = longestWait(joining.pace, loadOf(joining));
    joining.timer ??= setTimeout(() => storeWaiting(joining), wait);
  });
}

/** Stores a write as emitted: there are few of these at once, so that they may wait for locks. */
async function storeFirst({ joining, store }: Single): Promise<Written> {
  const { pace } = joining;
  try {
    return await counted(joining, 1, async () => {
      const began = performance.now();
      const stored = await store();
      // It may have waited for a connection or a lock, so it tells less than those of `runJoint`.
      if (pace.single === null) noteSingle(pace, performance.now() - began);
      return stored;
    });
  } catch (error) {
    // Records that are locked are left out of updates.
    if (timeLimit(error) === "lock" && joining.joint.event === "insert") noteLock(joining);
    throw error;
  }
}

/** Stores a write that others do not wait for: where it needs a lock, it waits in a place for those. */
async function storeSingly(single: Single): Promise<Written> {
  const { joining, sent } = single;
  // Where the whole table is locked, it has waited as long as a write may.
  if (isLate(single)) return storeInTime(single);
  let outcome: Outcome | undefined;
  try {
    [outcome] = (await runJoint(joining, [sent], patienceMs.one)) ?? [];
  } catch (error) {
    if (!isRefused(error)) throw error;
    forget(joining);
    outcome = "refused";
  }
  return written(outcome ?? "locked", single);
}

/** What is answered; what was left out is stored by itself, and the statement as emitted finds the reason. */
function written(outcome: Outcome, single: Single): Written | Promise<Written> {
  if (outcome === "locked") return storeHeld(single);
  return outcome === "refused" ? single.store() : outcome;
}

function storeHeld(single: Single): Promise<Written> {
  return single.joining.traffic.held.run(() => storeInTime(single));
}

async function storeInTime(single: Single): Promise<Written> {
  return isLate(single) ? refuse("UNAVAILABLE", { retryAfter }) : single.store();
}

function isLate({ since }: Single): boolean {
  return performance.now() - since >= lockMs;
}

/** Seconds, for `Retry-After`: whoever holds the lock has had as long already (`lockMs`). */
const retryAfter = 2;

/** Stores all writes that wait, by as few statements as what they cost allows. */
function storeWaiting(joining: Joining): void {
  clearTimeout(joining.timer);
  joining.timer = undefined;
  if (joining.waiting.length === 1) noteAlone(joining.pace);
  const now = performance.now();
  while (joining.waiting.length > 0) {
    const waited = now - (joining.waiting[0]?.since ?? now);
    const load = loadOf(joining);
    const some = joining.waiting.splice(0, mostAfter(joining.pace, { waited, load }));
    notePending(-some.length);
    if (some.length > 1) void storeSeveral(joining, some);
    else for (const { resolve } of some) resolve("single");
  }
}

/** How many times as many writes are being stored as there are connections. */
function loadOf({ traffic, waiting, poolSize }: Joining): number {
  return (traffic.storing + waiting.length) / poolSize;
}

async function storeSeveral(joining: Joining, some: readonly Waiting[]): Promise<void> {
  const all = some.map(({ sent }) => sent);
  try {
    const outcomes = await runJoint(joining, all, patienceMs.several);
    if (outcomes === null) noteLock(joining);
    some.forEach(({ resolve }, at) => {
      resolve(outcomes?.[at] ?? "single");
    });
  } catch (error) {
    if (!isRefused(error)) {
      for (const { reject } of some) reject(error);
      return;
    }
    forget(joining);
    noteRefusal(joining);
    for (const { resolve } of some) resolve("single");
  }
}

/** Runs a statement that stores so many writes, and then stores those that wait for its end. */
async function counted<T>({ traffic }: Joining, rows: number, run: () => Promise<T>): Promise<T> {
  traffic.running += 1;
  traffic.storing += rows;
  try {
    return await run();
  } finally {
    traffic.running -= 1;
    traffic.storing -= rows;
    storeAllWaiting(traffic);
  }
}

function storeAllWaiting({ joinings }: Traffic): void {
  for (const joining of joinings.values()) {
    if (joining.waiting.length > 0) storeWaiting(joining);
  }
}

/** Stores writes by one statement, and notes how long it takes; null where a lock has to be waited for. */
async function runJoint(
  joining: Joining,
  sent: readonly Sent[],
  waitMs: number,
): Promise<readonly Outcome[] | null> {
  const { access, joint, pace } = joining;
  const parameters = joint.parameters(sent, waitMs);
  return counted(joining, sent.length, async () => {
    let began = performance.now();
    const rows = await access.attempt<JointRow>(joint.text, parameters, () => {
      began = performance.now();
    });
    if (rows === null) return null;
    const took = performance.now() - began;
    if (sent.length === 1) noteSingle(pace, took);
    else noteSeveral(pace, sent.length, took);
    return joint.outcomes(sent, rows);
  });
}

function forget({ db, table, joint }: Joining): void {
  forgetTriggers(db, { table, event: joint.event });
}

/** Whether PostgreSQL has refused a statement that each write may still pass by itself. */
function isRefused(error: unknown): boolean {
  return sqlState(error) !== null && !isConnectionLost(error) && timeLimit(error) === null;
}
