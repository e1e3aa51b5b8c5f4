import type { Database } from "../../../db/index.js";
import { createQueue, type WorkQueue } from "../../../queue/index.js";
import type { Place } from "../../record/read.js";
import type { Table } from "../../table/table.js";
import type { Change, Create, Written } from "../operation.js";
import type { PreparedWrite } from "../prepare.js";
import { storeWrite } from "../store.js";
import { insertSeveral } from "./insert.js";
import { isDecidedByConstraints, isWorthJoining } from "./joinable.js";
import { type Joining, newJoining, storeJoined } from "./joining.js";
import { sentBy } from "./joint.js";
import { updateSeveral } from "./update.js";

/**
 * Stores a prepared write. Concurrent creates of a resource share one statement if only constraints can refuse them; so
 * do changes of the same fields of different records. One commit then serves all of them: 32 clients make twice as many
 * changes per second, 100 clients three times as many.
 *
 * If that statement is refused, or skips a write, the write is stored by a separate statement, which finds the reason.
 *
 * Each acknowledged write is stored exactly once, as it was sent: the statement runs only if no app code or trigger can
 * change that, and an error rolls it back. A write is stored separately only after a refusal, which has no effect.
 * After a lost connection the outcome is unknown, and nothing is retried.
 */
export async function joinConcurrent(place: Place, prepared: PreparedWrite): Promise<Written> {
  const { actor } = place;
  const { write } = prepared;
  const storeAlone = () => storeWrite(place, prepared);
  if (!isDecidedByConstraints(actor, write)) return storeAlone();
  const sent = sentBy(actor, write);
  if (!isWorthJoining(sent.values)) return storeAlone();
  const joining = joiningOf(actor.services.db, write);
  return joining === null ? storeAlone() : storeJoined(joining, sent, storeAlone);
}

/**
 * Limits for writes that wait for locks. Together with the two shared statements, they leave one of a resource's five
 * connections (of ten) to other writes. More than `waiting` writes are refused (503), since each request holds its body
 * in memory: bodies of a thousand characters take a megabyte.
 */
const heldLimits = { concurrency: 2, waiting: 1_000 };

/**
 * Maximum number of field sets per resource whose changes are joined. Clients could send thousands of sets, each with
 * some kilobytes of SQL; forms and programs send a few.
 */
const maxKinds = 20;

interface Traffic {
  readonly held: WorkQueue;
  readonly joinings: Map<string, Joining>;
}

const byDatabase = new WeakMap<Database, Map<string, Traffic>>();

/** Null if too many other sets of fields are being changed. */
function joiningOf({ of }: Database, write: Create | Change): Joining | null {
  const { table } = write;
  // Joined writes do not belong to a single request.
  const db = of(null);
  const { held, joinings } = trafficOf(db, table);
  const keys = write.kind === "create" ? [] : Object.keys(write.checked.values);
  // A change has at least one key.
  const name = keys.join(" ");
  const known = joinings.get(name);
  if (known !== undefined) return known;
  if (!hasRoom(joinings)) return null;
  const joint = write.kind === "create" ? insertSeveral(table) : updateSeveral(table, keys);
  const access = db.ofResource(table.resource);
  const joining = newJoining({ db, access, table, joint, held });
  joinings.set(name, joining);
  return joining;
}

function trafficOf(db: Database, { resource }: Table<never>): Traffic {
  const byResource = byDatabase.get(db) ?? new Map<string, Traffic>();
  byDatabase.set(db, byResource);
  const traffic = byResource.get(resource) ?? {
    held: createQueue(heldLimits),
    joinings: new Map(),
  };
  byResource.set(resource, traffic);
  return traffic;
}

/** Makes room by removing the oldest field set without a pending write. */
function hasRoom(joinings: Traffic["joinings"]): boolean {
  if (joinings.size < maxKinds) return true;
  for (const [name, { storing }] of joinings) {
    if (storing.size === 0) return joinings.delete(name);
  }
  return false;
}
