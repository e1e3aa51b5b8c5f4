import pLimit from "p-limit";
import { isTooMuch, isUnavailable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { maxWatchedBytes } from "../../resource/index.js";
import { type LoggedChange, readChanges, readState } from "../log/read.js";
import { type RecordEvent, type RecordEvents, recordEvents } from "./change-events.js";
import { changedRecords } from "./changed-records.js";
import { eventText } from "./events.js";
import { findOwnChanges } from "./own-changes.js";
import type { ChangeEvents, Group, RangeEvents } from "./subscriber.js";

type Given = Pick<Services, "db" | "signFiles" | "log">;

/** Changes that are read together. */
export const maxAtOnce = 1000;

/** Groups whose events are read at the same time: few, so that connections are left for requests. */
const maxGroups = 4;

/** Milliseconds for which the events of a returning subscriber are kept for others, and bytes of all that are kept. */
const keptMs = 2_000;
const maxKept = 8 * 1024 * 1024;

/** Ranges that are read for returning subscribers at the same time; the others of a process wait. */
const maxRanges = 4;

/**
 * What the subscribers of a group are sent after some changes. Where it is too much, each goes on by itself, with so
 * many changes at a time at first.
 */
export type GroupTurn = ChangeEvents | { readonly most: number };

/** Reads the events of each group for some changes of the log, and waits until they are sent before it reads more. */
export async function eventsForGroups(
  services: Given,
  groups: readonly Group[],
  changes: readonly LoggedChange[],
  sendTo: (group: Group, turn: GroupTurn) => Promise<void>,
): Promise<void> {
  const eventsOf = await readerOf(services, groups, changes);
  const waiting = groups[Symbol.iterator]();
  const readInTurn = async () => {
    for (const group of waiting) {
      // The others need not wait for one whose events cannot be read.
      const made = await eventsOf(group).catch((err: unknown) => failed(services, group, err));
      await sendTo(group, made.bytes > maxWatchedBytes ? { most: fewer(changes, made) } : made);
    }
  };
  // When one fails, the others end before these changes are read again: what they send would come too late then.
  const ended = await Promise.allSettled(Array.from({ length: maxGroups }, readInTurn));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** How many of the changes have few enough bytes, as far as these tell. */
function fewer({ length }: readonly LoggedChange[], { bytes }: ChangeEvents): number {
  return Math.max(1, Math.floor((length * maxWatchedBytes * 0.75) / bytes));
}

/**
 * What is sent where a statement failed. What was too much for PostgreSQL is read in smaller parts. With any other
 * error subscribers would get it again at the same position: they list again, and go on after these changes.
 */
function failed({ log }: Given, { resources }: Group, err: unknown): ChangeEvents {
  if (isTooMuch(err)) return { events: [], bytes: 4 * maxWatchedBytes, reset: null };
  if (isUnavailable(err)) throw err;
  log.error({ err, resources }, "changes cannot be read");
  return { events: [], bytes: 0, reset: "schema" };
}

/** A range of the log, and how many changes are read of it at first. */
interface Missed {
  readonly after: number;
  readonly upTo: number;
  readonly most: number;
}

/**
 * Answers the events that a returning subscriber has missed in a range of the log, or in its first part where it is
 * long. After a restart many subscribers return at once with the same position: they share what is read.
 */
export function newMissedEvents(
  services: Given,
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
  services: Given,
  group: Group,
  { after, upTo, most: first }: Missed,
): Promise<RangeEvents> {
  const moves = group.watched.flatMap(({ own }) => own?.moves ?? []);
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

/** A function that reads the events of one of the groups. They share what is read for the same watch. */
async function readerOf(
  services: Given,
  groups: readonly Group[],
  changes: readonly LoggedChange[],
): Promise<(group: Group) => Promise<ChangeEvents>> {
  const changed = changedRecords(changes);
  const own = await findOwnChanges(services.db, groups, changes, changed);
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
