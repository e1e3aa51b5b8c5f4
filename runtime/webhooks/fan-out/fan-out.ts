import { type LoggedChange, readChanges, readState } from "../../changes/index.js";
import { lockNumbers, type Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import type { ResourceDefinition } from "../../resource/index.js";
import { addDeliveries, type NewDelivery } from "../store/deliveries.js";
import { findListeners, keepPositions, type Listener, movePositions } from "./listeners.js";
import { changesSeenBy, type SeenChange } from "./seen.js";

export interface FanOutParts {
  readonly services: Services;
  /** The resources whose changes are logged, by name. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
}

/** Limits per transaction: number of changes and, below it, approximate bytes of their deliveries. */
const mostChanges = 200;
const mostBytes = 16 * 1024 * 1024;

/** `stored`: there may be more to store. `idle`: everything is stored, or another process is storing it. */
export type FannedOut = "stored" | "idle";

/**
 * Stores deliveries for the changes after the webhooks' positions. Each is stored exactly once: the positions are
 * updated in the same transaction, and only one process at a time runs such a transaction.
 */
export async function fanOut({ services, definitions }: FanOutParts): Promise<FannedOut> {
  const { db, log } = services;
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>(
      "select pg_try_advisory_xact_lock($1) as taken",
      [lockNumbers.webhooks],
    );
    if (lock?.taken !== true) return "idle";
    const state = await readState(tx);
    const moved = await keepPositions(tx, state);
    if (moved.length > 0) {
      tx.afterCommit(() =>
        log.warn({ webhooks: moved }, "Webhooks missed changes that the log no longer has"),
      );
    }
    const behind = await findListeners(tx, state);
    if (behind.length === 0) return "idle";
    const { listeners, after, upTo } = furthestBehind(behind, state.n);
    const changes = await readChanges(tx, {
      after,
      upTo,
      resources: [...definitions.keys()],
      most: mostChanges,
    });
    const heard = { listeners, changes };
    const seen = await seenBy(tx, { services, definitions }, heard);
    const { deliveries, last } = deliveriesOf(heard, seen, services.signFiles);
    await addDeliveries(tx, deliveries);
    const isAll = last === changes.at(-1)?.n && changes.length < mostChanges;
    const to = isAll || changes.length === 0 ? upTo : last;
    await movePositions(
      tx,
      listeners.map(({ id }) => id),
      to,
    );
    return "stored";
  });
}

/** Changes, and the webhooks to notify of them. */
interface Heard {
  readonly listeners: readonly Listener[];
  readonly changes: readonly LoggedChange[];
}

interface Behind {
  readonly listeners: readonly Listener[];
  readonly after: number;
  readonly upTo: number;
}

/** The webhooks that are furthest behind, and the position at which they reach the next ones. */
function furthestBehind(behind: readonly Listener[], end: number): Behind {
  const positions = behind.map(({ position }) => position);
  const after = Math.min(...positions);
  const upTo = Math.min(end, ...positions.filter((position) => position > after));
  return { listeners: behind.filter(({ position }) => position === after), after, upTo };
}

/** Changes by account, then by number. */
type Seen = ReadonlyMap<string, ReadonlyMap<number, SeenChange>>;

async function seenBy(
  tx: Queryable,
  { services, definitions }: FanOutParts,
  { listeners, changes }: Heard,
): Promise<Seen> {
  const seen = new Map<string, Map<number, SeenChange>>();
  for (const { account, role, events } of listeners) {
    const ofAccount = seen.get(account) ?? new Map<number, SeenChange>();
    seen.set(account, ofAccount);
    for (const [resource, definition] of definitions) {
      if (!events.some((event) => resourceOf(event) === resource)) continue;
      const ended = changes
        .filter((change) => change.resource === resource && change.id !== null && change.isLast)
        .filter(({ n }) => !ofAccount.has(n));
      if (ended.length === 0) continue;
      const caller = { accountId: account, role, sessionId: null };
      const looked = { definition, caller, changes: ended };
      for (const change of await changesSeenBy(tx, services, looked)) {
        ofAccount.set(change.n, change);
      }
    }
  }
  return seen;
}

interface Deliveries {
  readonly deliveries: readonly NewDelivery[];
  /** The number of the last change handled, with or without a delivery. */
  readonly last: number;
}

/** Deliveries in the order of their changes, up to a total size of bodies. */
function deliveriesOf(
  { listeners, changes }: Heard,
  seen: Seen,
  signFiles: (json: string) => string,
): Deliveries {
  const deliveries: NewDelivery[] = [];
  let bytes = 0;
  let last = 0;
  for (const { n, resource, id: recordId } of changes) {
    last = n;
    for (const { id: webhookId, account, events } of listeners) {
      const change = seen.get(account)?.get(n);
      if (change === undefined) continue;
      const type = `${resource}.${change.action}`;
      if (!events.includes(type) && !events.includes(`${resource}.*`)) continue;
      const body = bodyOf(type, change, signFiles);
      bytes += body.length;
      deliveries.push({ webhookId, type, recordId, body });
    }
    if (bytes > mostBytes) break;
  }
  return { deliveries, last };
}

/** Maximum number of bytes of a body. */
const maxBodyBytes = 256 * 1024;

function bodyOf(type: string, change: SeenChange, signFiles: (json: string) => string): string {
  const { id, at, changed } = change;
  const start = JSON.stringify({ type, timestamp: at }).slice(0, -1);
  const end = JSON.stringify(changed);
  const write = (record: string | null) =>
    `${start},"data":{"id":${JSON.stringify(id)},"record":${record},"changed":${end}}}`;
  const body = write(change.record === null ? null : signFiles(change.record));
  return Buffer.byteLength(body) <= maxBodyBytes ? body : write(null);
}

function resourceOf(event: string): string {
  return event.slice(0, event.lastIndexOf("."));
}
