import { type Access, isConnectionLost, sqlState, timeLimit } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { Actor } from "../../../own-code/index.js";
import type { Values } from "../../table/conflicts.js";
import type { Table } from "../../table/table.js";
import type { InsertedRow, Written } from "../operation.js";
import type { PreparedWrite } from "../prepare.js";
import { storeWrite } from "../store.js";
import { insertSeveral, type NewRow, rowOf, storedRows } from "./insert.js";
import { isDecidedByConstraints } from "./joinable.js";
import { type Joining, joiningOf, lockMs, noteLock, noteRefusal, type Waiting } from "./joining.js";
import { forgetTriggers, isFreeOfTriggers } from "./own-triggers.js";
import { longestWait, mayWait, mostAfter, noteSeveral, noteSingle } from "./pace.js";

/**
 * As many statements of a resource run before new records wait for the end of one: while PostgreSQL runs one, this
 * process makes the next. With one it waits in between; with four, fewer records come together.
 */
const maxRunning = 2;

/**
 * Characters of a record that is stored with others. The time of a statement is expected from its number of records, so
 * one must not take many times as long as another: with so many characters it took three times as long as a short one,
 * and nine times where a search index has them (0.2 ms, 0.5 and 1.6). Five thousand took sixty times as long.
 */
const maxLength = 1_000;

/**
 * Milliseconds that a statement waits for a lock on a row. One record that has to wait holds up the others for 20 at
 * most: those that were sent with it for 10, and then each other such record for one, fifty of them (`maxRows`) on
 * five connections.
 */
const patienceMs = { several: 10, one: 1 };

/** New records of one table, and how they get there. */
interface Inserting {
  readonly actor: Actor;
  readonly access: Access;
  readonly table: Table<never>;
  readonly joining: Joining;
}

/**
 * Stores a prepared write. A new record that only constraints can refuse is stored by one statement with others of
 * its resource, when several arrive at once: one commit serves them all. When that statement is refused, each of
 * them is stored by one of its own, so that its client is told why.
 *
 * Each record that is answered is stored once, under the id that is answered. A statement for several stores all of
 * them as they were sent, or none: it runs only where nothing of the app's own can change that, and its error undoes
 * it (`insertSeveral`). A record is stored singly after a refusal only, of which nothing is left; when the connection
 * is lost, nobody knows, and nothing is tried again.
 */
export async function joinConcurrent(
  actor: Actor,
  access: Access,
  prepared: PreparedWrite,
): Promise<Written> {
  const { write } = prepared;
  const single = () => storeWrite(actor, access, prepared);
  if (write.kind !== "create" || !isDecidedByConstraints(actor, write)) return single();
  const { table } = write;
  const row = rowOf(write);
  const { db } = actor.services;
  if (!isShort(row.values)) return single();
  const inserting = { actor, access, table, joining: joiningOf(db, table) };
  if (inserting.joining.running < maxRunning) return storeFirst(inserting, single);
  if (!isFreeOfTriggers(db, access, table)) return single();
  const since = performance.now();
  const written = await joinOthers(inserting, row, since);
  return written ?? storeSingly(inserting, row, since, single);
}

function isShort(values: Values): boolean {
  let length = 0;
  for (const value of Object.values(values)) length += typeof value === "string" ? value.length : 0;
  return length <= maxLength;
}

/** Waits until the record is stored with others; null where it has to be stored by itself. */
async function joinOthers(
  inserting: Inserting,
  row: NewRow,
  since: number,
): Promise<Written | null> {
  const { joining } = inserting;
  if (since < joining.singleUntil || !mayWait(joining.pace)) return null;
  return new Promise((resolve, reject) => {
    joining.waiting.push({ row, since, resolve, reject });
    const wait = longestWait(joining.pace, loadOf(inserting));
    joining.timer ??= setTimeout(() => storeWaiting(inserting), wait);
  });
}

/** Stores a record as emitted: there are few of these at once, so that they may wait for locks. */
async function storeFirst(inserting: Inserting, store: () => Promise<Written>): Promise<Written> {
  const { joining } = inserting;
  try {
    return await timed(inserting, 1, store);
  } catch (error) {
    if (timeLimit(error) === "lock") noteLock(joining);
    throw error;
  }
}

/** Stores a record that others do not wait for: where it needs a lock, it waits in a place for those. */
async function storeSingly(
  inserting: Inserting,
  row: NewRow,
  since: number,
  store: () => Promise<Written>,
): Promise<Written> {
  const { joining } = inserting;
  // Where the whole table is locked, it has waited as long as a record may.
  const isLate = () => performance.now() - since >= lockMs;
  const storeInTime = () => (isLate() ? refuse("UNAVAILABLE", { retryAfter }) : store());
  if (isLate()) return storeInTime();
  try {
    const attempt = () => insert(inserting, [row], patienceMs.one);
    const [written] = (await timed(inserting, 1, attempt)) ?? [];
    if (written !== undefined) return written;
  } catch (error) {
    if (!isRefused(error)) throw error;
    // The statement as emitted looks for the reason.
    forgetTriggers(inserting.actor.services.db, inserting.table);
    return store();
  }
  return joining.held.run(storeInTime);
}

/** Seconds, for `Retry-After`. */
const retryAfter = 2;

/** Stores all records that wait, by as few statements as what they cost allows. */
function storeWaiting(inserting: Inserting): void {
  const { joining } = inserting;
  clearTimeout(joining.timer);
  joining.timer = undefined;
  const now = performance.now();
  while (joining.waiting.length > 0) {
    const waited = now - (joining.waiting[0]?.since ?? now);
    const load = loadOf(inserting);
    const some = joining.waiting.splice(0, mostAfter(joining.pace, { waited, load }));
    if (some.length > 1) void storeSeveral(inserting, some);
    else for (const { resolve } of some) resolve(null);
  }
}

/** How many times more records are being stored than there are connections. */
function loadOf({ joining, actor }: Inserting): number {
  const { poolSize } = actor.services.config.database;
  return (joining.storing + joining.waiting.length) / poolSize;
}

async function storeSeveral(inserting: Inserting, some: readonly Waiting[]): Promise<void> {
  const { actor, table, joining } = inserting;
  const rows = some.map(({ row }) => row);
  try {
    const attempt = () => insert(inserting, rows, patienceMs.several);
    const written = await timed(inserting, rows.length, attempt);
    if (written === null) noteLock(joining);
    some.forEach(({ resolve }, at) => {
      resolve(written?.[at] ?? null);
    });
  } catch (error) {
    if (!isRefused(error)) {
      for (const { reject } of some) reject(error);
      return;
    }
    forgetTriggers(actor.services.db, table);
    noteRefusal(joining);
    for (const { resolve } of some) resolve(null);
  }
}

/** Runs a statement, notes its time where it has stored the records, and then stores those that wait for its end. */
async function timed<T>(inserting: Inserting, rows: number, run: () => Promise<T>): Promise<T> {
  const { joining, actor } = inserting;
  // With more, the time might be that of waiting for a connection: a resource has half of them to itself.
  const isStatement = joining.running < actor.services.config.database.poolSize / 2;
  joining.running += 1;
  joining.storing += rows;
  const began = performance.now();
  try {
    const stored = await run();
    const took = performance.now() - began;
    if (stored !== null && isStatement && rows === 1) noteSingle(joining.pace, took);
    if (stored !== null && isStatement && rows > 1) noteSeveral(joining.pace, rows, took);
    return stored;
  } finally {
    joining.running -= 1;
    joining.storing -= rows;
    storeWaiting(inserting);
  }
}

/** Null where a record has to wait for a lock. */
async function insert(
  { access, table }: Inserting,
  rows: readonly NewRow[],
  waitMs: number,
): Promise<readonly Written[] | null> {
  const { text, parameters } = insertSeveral(table, rows, waitMs);
  const stored = await access.attempt<InsertedRow>(text, parameters);
  return stored === null ? null : storedRows(rows, stored);
}

/** Whether PostgreSQL has refused a statement that each record may still pass by itself. */
function isRefused(error: unknown): boolean {
  return sqlState(error) !== null && !isConnectionLost(error) && timeLimit(error) === null;
}
