import type { Access, Database } from "../../../db/index.js";
import type { Actor } from "../../../own-code/index.js";
import { createQueue, type WorkQueue } from "../../../queue/index.js";
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
 * Stores a prepared write. A new record that only constraints can refuse is stored by one statement with others of
 * its resource, when several arrive at once, and so is a change with changes of the same fields of other records: one
 * commit serves them all: of 32 clients twice as many changes a second, of 100 three times as many, as by a statement for
 * each. When that statement is refused, or leaves a write out, it is stored by one of its own, so that its client is told why.
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
  const store = () => storeWrite(actor, access, prepared);
  if (write.kind === "delete" || !isDecidedByConstraints(actor, write)) return store();
  const sent = sentBy(actor, write);
  if (!isWorthJoining(sent.values)) return store();
  const joining = joiningOf(actor.services.db, write);
  return joining === null ? store() : storeJoined(joining, sent, store);
}

/**
 * So many writes of a resource wait for locks at once: with the two statements that run before others are joined,
 * they leave one of a resource's five connections (of ten) to writes that need no lock. More than `waiting` are refused
 * (503): a request holds its body for so long. Bodies of a thousand characters at most are a megabyte then.
 */
const heldLimits = { concurrency: 2, waiting: 1_000 };

/**
 * Sets of fields whose changes are joined, of one resource: a client may send any of thousands, and each has a text of
 * some kilobytes. Forms and programs that change records send a few.
 */
const maxKinds = 20;

interface Traffic {
  readonly held: WorkQueue;
  readonly joinings: Map<string, Joining>;
}

const byDatabase = new WeakMap<Database, Map<string, Traffic>>();

/** Null where too many other sets of fields are being changed. */
function joiningOf({ of }: Database, write: Create | Change): Joining | null {
  const { table } = write;
  // What is stored together is of no single request.
  const db = of(null);
  const { held, joinings } = trafficOf(db, table);
  const keys = write.kind === "create" ? [] : Object.keys(write.checked.values);
  // The keys of a change are never none.
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

/** Makes room by forgetting the kind that was first in use, where nothing of it is being stored. */
function hasRoom(joinings: Traffic["joinings"]): boolean {
  if (joinings.size < maxKinds) return true;
  for (const [name, { storing }] of joinings) {
    if (storing.size === 0) return joinings.delete(name);
  }
  return false;
}
