import {
  type Access,
  type Database,
  isConnectionLost,
  sqlState,
  timeLimit,
} from "../../db/index.js";
import type { Actor } from "../../services/index.js";
import type { Values } from "../conflicts.js";
import { isWrittenAlike } from "../rights/rules.js";
import type { Table } from "../table.js";
import { fileKeysOf } from "./files.js";
import type { Written } from "./operation.js";
import { type PreparedWrite, storeWrite } from "./run.js";
import { type InsertedRow, insertTogether, recordsTogether } from "./statements.js";

/** The new records of one resource: how many statements store some, and which ones wait to be stored together. */
interface Joining {
  running: number;
  waiting: Waiting[];
  timer: NodeJS.Timeout | undefined;
  /** Until then none waits; by the clock of `performance.now()`. */
  aloneUntil: number;
}

interface Waiting {
  readonly row: { readonly id: string; readonly values: Values };
  /** Null where the record has to be stored alone. */
  resolve(written: Written | null): void;
  reject(error: unknown): void;
}

/** As many statements of a resource run before new records wait for the end of one. */
const maxRunning = 2;
const maxRows = 50;
/** Characters of a record that is stored with others. */
const maxLength = 10_000;
/** Milliseconds that a record waits for others at most. */
const maxWaitMs = 10;
/** Milliseconds that one statement for several records waits for a lock, which concerns one of them at most. */
const lockMs = 20;
/** Milliseconds for which records are stored alone after such a statement was refused, or met a lock. */
const pauseMs = { refused: 200, locked: 2_000 };

/**
 * Stores a prepared write. A new record that only constraints can refuse is stored by one statement with others of
 * its resource, when several arrive at once: one commit serves them all. When that statement is refused, each of
 * them is stored alone, so that its client learns why.
 */
export async function storeJoined(
  actor: Actor,
  access: Access,
  prepared: PreparedWrite,
): Promise<Written> {
  const { write } = prepared;
  if (write.kind !== "create") return storeWrite(actor, access, prepared);
  const row = { id: write.id, values: { ...write.checked.values } };
  if (!canJoin(write.table, row.values)) return storeWrite(actor, access, prepared);
  const joining = joiningOf(actor.services.db, write.table);
  const together = () => storeWaiting(joining, access, write.table);
  if (joining.running >= maxRunning && performance.now() >= joining.aloneUntil) {
    const written = await new Promise<Written | null>((resolve, reject) => {
      joining.waiting.push({ row, resolve, reject });
      joining.timer ??= setTimeout(together, maxWaitMs);
    });
    if (written !== null) return written;
  }
  joining.running += 1;
  try {
    return await storeWrite(actor, access, prepared);
  } finally {
    joining.running -= 1;
    void together();
  }
}

function canJoin(table: Table<never>, values: Values): boolean {
  return isWrittenAlike(table) && isShort(values) && fileKeysOf(table, values).length === 0;
}

function isShort(values: Values): boolean {
  let length = 0;
  for (const value of Object.values(values)) length += typeof value === "string" ? value.length : 0;
  return length <= maxLength;
}

const joinings = new WeakMap<Database, Map<string, Joining>>();

function joiningOf(db: Database, { resource }: Table<never>): Joining {
  const byResource = joinings.get(db) ?? new Map<string, Joining>();
  joinings.set(db, byResource);
  const joining = byResource.get(resource) ?? {
    running: 0,
    waiting: [],
    timer: undefined,
    aloneUntil: 0,
  };
  byResource.set(resource, joining);
  return joining;
}

/** Stores the records that wait, if there are any, and then those that have arrived meanwhile. */
async function storeWaiting(joining: Joining, access: Access, table: Table<never>): Promise<void> {
  clearTimeout(joining.timer);
  joining.timer = undefined;
  const some = joining.waiting.splice(0, maxRows);
  const [first, ...others] = some;
  if (first === undefined) return;
  if (others.length === 0) {
    first.resolve(null);
    return;
  }
  joining.running += 1;
  try {
    const sent = some.map(({ row }) => row);
    const { text, parameters } = insertTogether(table, sent, lockMs);
    const records = recordsTogether(sent, await access.query<InsertedRow>(text, parameters));
    some.forEach(({ row: { id }, resolve }, at) => {
      const record = records[at] ?? null;
      // Alone, one that a trigger leaves out is refused.
      resolve(record === null ? null : { id, record });
    });
  } catch (error) {
    // What PostgreSQL refused it has not stored; of what was under way when a connection was lost nobody knows.
    if (sqlState(error) === null || isConnectionLost(error)) {
      for (const { reject } of some) reject(error);
    } else {
      const pause = timeLimit(error) === null ? pauseMs.refused : pauseMs.locked;
      joining.aloneUntil = performance.now() + pause;
      for (const { resolve } of some) resolve(null);
    }
  } finally {
    joining.running -= 1;
  }
  return storeWaiting(joining, access, table);
}
