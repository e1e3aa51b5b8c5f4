import pLimit from "p-limit";
import { isTooMuch, isUnavailable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { maxWatchedBytes } from "../../resource/index.js";
import { type LoggedChange, readChanges, readState } from "../log/read.js";
import { type RecordEvent, type RecordEvents, recordEvents } from "./change-events.js";
import { changedRecords } from "./changed-records.js";
import { eventText } from "./events.js";
import { findOwnedChanges } from "./owned-changes.js";
import type { ChangeEvents, Group, RangeEvents } from "./subscriber.js";

type EventServices = Pick<Services, "db" | "signFiles" | "log">;

/** Maximum number of changes per read. */
export const maxAtOnce = 1000;

/** Maximum number of groups whose events are read concurrently; low, so that connections are left for requests. */
const maxGroups = 4;

/**
 * Milliseconds for which a returning subscriber's events are cached for others, and the maximum number of cached bytes.
 */
const keptMs = 2_000;
const maxKept = 8 * 1024 * 1024;

/** Maximum number of ranges that are read concurrently for returning subscribers; other ranges of the process wait. */
const maxRanges = 4;

/**
 * A group's events for some changes. If they are too large, each subscriber continues separately, initially with `most`
 * changes at a time.
 */
export type GroupTurn = ChangeEvents | { readonly most: number };

interface GroupChanges {
  readonly groups: readonly Group[];
  readonly changes: readonly LoggedChange[];
}

/** Reads each group's events for some changes, and waits until they are sent before it reads more. */
export async function eventsForGroups(
  services: EventServices,
  { groups, changes }: GroupChanges,
  sendTo: (group: Group, turn: GroupTurn) => Promise<void>,
): Promise<void> {
  const eventsOf = await readerOf(services, groups, changes);
  const waiting = groups[Symbol.iterator]();
  const readInTurn = async () => {
    for (const group of waiting) {
      // Other groups need not wait for one whose events cannot be read.
      const made = await eventsOf(group).catch((err: unknown) => failed(services, group, err));
      await sendTo(group, made.bytes > maxWatchedBytes ? { most: fewer(changes, made) } : made);
    }
  };
  // If one fails, the others still finish before these changes are read again, so that no event is sent late.
  const ended = await Promise.allSettled(Array.from({ length: maxGroups }, readInTurn));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** Estimates how many of the changes fit within the byte limit. */
function fewer({ length }: readonly LoggedChange[], { bytes }: ChangeEvents): number {
  return Math.max(1, Math.floor((length * maxWatchedBytes * 0.75) / bytes));
}

/**
 * Returns what to send after a failed statement. A result too large for PostgreSQL is read in smaller parts. Any other
 * error would recur at the same position, so subscribers must read their lists again, and continue after these changes.
 */
function failed({ log }: EventServices, { resources }: Group, err: unknown): ChangeEvents {
  if (isTooMuch(err)) return { events: [], bytes: 4 * maxWatchedBytes, reset: null };
  if (isUnavailable(err)) throw err;
  log.error({ err, resources }, "changes cannot be read");
  return { events: [], bytes: 0, reset: "schema" };
}

/** A range of the log, and the number of changes to read first. */
interface Missed {
  readonly after: number;
  readonly upTo: number;
  readonly most: number;
}

/**
 * Returns the events that a returning subscriber missed in a range of the log, or in its first part if it is long.
 * After a restart, many subscribers return at once with the same position, so they share the events.
 */
export function newMissedEvents(
  services: EventServices,
): (group: Group, missed: Missed) => Promise<RangeEvents> {
  let kept = 0;
  const limit = pLimit(maxRanges);
  return (group, missed) => {
    const key = `${missed.after} ${missed.upTo} ${missed.most}`;
    const known = group.kept.get(key);
    if (known !== undefined) return known;
    const events = limit(() => readMissed(services, group, missed));
    group.kept.set(key, events);
    const forget = () => group.kept.delete(key);
    const keep = ({ bytes }: RangeEvents) => {
      kept += bytes;
      const drop = () => {
        kept -= bytes;
        forget();
      };
      if (kept > maxKept) drop();
      else setTimeout(drop, keptMs).unref();
    };
    events.then(keep, forget);
    return events;
  };
}

async function readMissed(
  services: EventServices,
  group: Group,
  { after, upTo, most: first }: Missed,
): Promise<RangeEvents> {
  const moves = group.watched.flatMap(({ own, paths }) => [...(own?.moves ?? []), ...paths]);
  const resources = [...group.resources, ...moves.map(({ resource }) => resource)];
  const changes = await readChanges(services.db, { after, upTo, resources, most: first });
  for (let most = first; ; ) {
    const some = changes.slice(0, most);
    const made = await readerOf(services, [group], some)
      .then((eventsOf) => eventsOf(group))
      .catch((err: unknown) => failed(services, group, err));
    if (made.bytes <= maxWatchedBytes || (some.length === 1 && made.events.length > 0)) {
      const end = some.length < most ? upTo : (some.at(-1)?.n ?? upTo);
      const { keptAfter } = await readState(services.db);
      return { ...made, reset: after < keptAfter ? "expired" : made.reset, end, most };
    }
    if (some.length <= 1) throw new Error("One change takes too long to be read");
    most = fewer(some, made);
  }
}

/** Returns a function that reads the events of one of the groups. Groups with the same watch share them. */
async function readerOf(
  services: EventServices,
  groups: readonly Group[],
  changes: readonly LoggedChange[],
): Promise<(group: Group) => Promise<ChangeEvents>> {
  const changed = changedRecords(changes);
  const own = await findOwnedChanges(services.db, groups, { changes, changed });
  const read = new Map<string, Promise<RecordEvents>>();
  return async (group) => {
    if (group.resources.some((resource) => changed.get(resource)?.isEmptied === true)) {
      return { events: [], bytes: 0, reset: "schema" };
    }
    if (own.haveMoved(group)) return { events: [], bytes: 0, reset: "rights" };
    const found: RecordEvent[] = [];
    let recordBytes = 0;
    for (const watched of group.watched) {
      const records = changed.get(watched.table.resource);
      if (records === undefined || !own.concern(watched, group.account)) continue;
      const reading = read.get(watched.key) ?? recordEvents(services, watched, records);
      read.set(watched.key, reading);
      const some = await reading;
      for (const event of some.events) found.push(event);
      recordBytes += some.bytes;
    }
    found.sort((one, other) => one.n - other.n);
    const events = found.map(({ json }) => eventText("change", json));
    const characters = events.reduce((sum, { length }) => sum + length, 0);
    const bytes = recordBytes > maxWatchedBytes ? recordBytes : characters;
    return { events, bytes, reset: null };
  };
}
