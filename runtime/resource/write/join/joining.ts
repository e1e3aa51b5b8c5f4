import type { Access, Database } from "../../../db/index.js";
import type { Services } from "../../../own-code/index.js";
import { createQueue, type WorkQueue } from "../../../queue/index.js";
import type { Table } from "../../table/table.js";
import type { Change, Create } from "../operation.js";
import { insertSeveral } from "./insert.js";
import type { Joint, Outcome, Sent } from "./joint.js";
import { newPace, type Pace } from "./pace.js";
import { updateSeveral } from "./update.js";

/** Writes of one resource that only constraints decide about. */
export interface Traffic {
  /** How many statements store how many of them. */
  running: number;
  storing: number;
  /** What has met a lock, and waits for it. */
  readonly held: WorkQueue;
  /** The records that are being changed. */
  readonly changing: Set<string>;
  readonly joinings: Map<string, Joining>;
}

/** Those of one kind, which one statement can store: which ones wait for it, and what it costs. */
export interface Joining {
  readonly db: Database;
  /** The connections of this process. */
  readonly poolSize: number;
  readonly access: Access;
  readonly table: Table<never>;
  readonly joint: Joint;
  readonly traffic: Traffic;
  readonly pace: Pace;
  waiting: Waiting[];
  timer: NodeJS.Timeout | undefined;
  /** Until then none waits for others; by the clock of `performance.now()`. */
  singleUntil: number;
}

export interface Waiting {
  readonly sent: Sent;
  /** When it came, by the clock of `performance.now()`. */
  readonly since: number;
  /** `single`: by a statement of its own. */
  resolve(outcome: Outcome | "single"): void;
  reject(error: unknown): void;
}

/**
 * Milliseconds without waiting for others after PostgreSQL refused a statement for several writes. Those were tried
 * twice; where one record in ten is refused, as in an import of what is partly there, each statement would be. It is
 * some hundred statements of one record; after a single refusal others are soon joined again.
 */
const refusedMs = 200;

/**
 * Milliseconds that a write waits for a lock, as long as any statement of a request, and others for none meanwhile: more
 * may come that need the same lock.
 */
export const lockMs = 2_000;

/**
 * So many writes of a resource wait for locks at once: with the two statements that run before others are joined,
 * they leave one of a resource's five connections (of ten) to writes that need no lock, and those that are lent.
 */
const maxHeld = 2;

/**
 * More writes than that do not wait for locks, but are refused (503): a request holds its body for so long. Bodies of a
 * thousand characters at most are a megabyte then.
 */
const maxHeldWaiting = 1_000;

/**
 * Sets of fields whose changes are joined, of one resource: a client may send any of thousands, and each has a text of
 * some kilobytes. Forms and programs that change records send a few.
 */
const maxKinds = 20;

const byDatabase = new WeakMap<Database, Map<string, Traffic>>();

/** Null where too many other sets of fields are being changed. */
export function joiningOf(
  { db, config }: Pick<Services, "db" | "config">,
  access: Access,
  write: Create | Change,
): Joining | null {
  const { table } = write;
  const traffic = trafficOf(db, table);
  const keys = write.kind === "create" ? [] : Object.keys(write.checked.values);
  // The keys of a change are never none.
  const name = keys.join(" ");
  const known = traffic.joinings.get(name);
  if (known !== undefined) return known;
  if (!hasRoom(traffic)) return null;
  const joint = write.kind === "create" ? insertSeveral(table) : updateSeveral(table, keys);
  const { poolSize } = config.database;
  const idle = { pace: newPace(poolSize), waiting: [], timer: undefined, singleUntil: 0 };
  const joining: Joining = { db, poolSize, access, table, joint, traffic, ...idle };
  traffic.joinings.set(name, joining);
  return joining;
}

function trafficOf(db: Database, { resource }: Table<never>): Traffic {
  const byResource = byDatabase.get(db) ?? new Map<string, Traffic>();
  byDatabase.set(db, byResource);
  const traffic = byResource.get(resource) ?? newTraffic();
  byResource.set(resource, traffic);
  return traffic;
}

function newTraffic(): Traffic {
  return {
    running: 0,
    storing: 0,
    held: createQueue({ concurrency: maxHeld, waiting: maxHeldWaiting }),
    changing: new Set(),
    joinings: new Map(),
  };
}

/** Makes room by forgetting the kind that was first in use, where none of its writes waits. */
function hasRoom({ joinings }: Traffic): boolean {
  if (joinings.size < maxKinds) return true;
  for (const [name, { waiting }] of joinings) {
    if (waiting.length > 0) continue;
    return joinings.delete(name);
  }
  return false;
}

/** Records that a statement for several writes was refused. */
export function noteRefusal(joining: Joining): void {
  joining.singleUntil = performance.now() + refusedMs;
}

/** Records that a write has met a lock. */
export function noteLock(joining: Joining): void {
  joining.singleUntil = performance.now() + lockMs;
}
