import type { Database } from "../../../db/index.js";
import { createQueue, type WorkQueue } from "../../../queue/index.js";
import type { Table } from "../../table/table.js";
import type { Written } from "../operation.js";
import type { NewRow } from "./insert.js";
import { newPace, type Pace } from "./pace.js";

/** The new records of one resource: how many statements store how many, and which ones wait to be stored together. */
export interface Joining {
  running: number;
  storing: number;
  waiting: Waiting[];
  timer: NodeJS.Timeout | undefined;
  readonly pace: Pace;
  /** Until then none waits for others; by the clock of `performance.now()`. */
  singleUntil: number;
  /** What has met a lock, and waits for it. */
  readonly held: WorkQueue;
}

export interface Waiting {
  readonly row: NewRow;
  /** When it came, by the clock of `performance.now()`. */
  readonly since: number;
  /** Null where the record has to be stored by itself. */
  resolve(written: Written | null): void;
  reject(error: unknown): void;
}

/**
 * Milliseconds without waiting for others after PostgreSQL refused a statement for several records. Those were tried
 * twice; where one record in ten is refused, as in an import of what is partly there, each statement would be.
 */
const refusedMs = 200;

/** Milliseconds that a record waits for a lock, and others for none meanwhile: more may come that need the same lock. */
export const lockMs = 2_000;

/**
 * So many records of a resource wait for locks at once: with the two statements that run before others are joined,
 * they leave one of a resource's five connections (of ten) to records that need no lock, and those that are lent.
 */
const maxHeld = 2;

/** More records than that do not wait for locks, but are refused (503): a request holds its body for so long. */
const maxHeldWaiting = 1_000;

const joinings = new WeakMap<Database, Map<string, Joining>>();

export function joiningOf(db: Database, { resource }: Table<never>): Joining {
  const byResource = joinings.get(db) ?? new Map<string, Joining>();
  joinings.set(db, byResource);
  const joining = byResource.get(resource) ?? newJoining();
  byResource.set(resource, joining);
  return joining;
}

function newJoining(): Joining {
  return {
    running: 0,
    storing: 0,
    waiting: [],
    timer: undefined,
    pace: newPace(),
    singleUntil: 0,
    held: createQueue({ concurrency: maxHeld, waiting: maxHeldWaiting }),
  };
}

/** Records that a statement for several records was refused. */
export function noteRefusal(joining: Joining): void {
  joining.singleUntil = performance.now() + refusedMs;
}

/** Records that a record has met a lock. */
export function noteLock(joining: Joining): void {
  joining.singleUntil = performance.now() + lockMs;
}
