import { isUnavailable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { type LoggedChange, readChanges } from "../log/read.js";
import { type RecordEvent, recordEvents } from "./change-events.js";
import { changedRecords } from "./changed-records.js";
import { eventText } from "./events.js";
import { findOwnChanges } from "./own-changes.js";
import type { ChangeEvents, Group, RangeEvents } from "./reader.js";

type Given = Pick<Services, "db" | "signFiles">;

/** Changes that are read together. */
export const maxAtOnce = 1000;

/** Groups whose events are read at the same time: few, so that connections are left for requests. */
const maxGroups = 4;

/** Milliseconds for which the events of a returning reader are kept for others. */
const keptMs = 2_000;

/** The events of each group for some changes of the log; null for a group whose events cannot be read. */
export async function eventsForGroups(
  services: Given & Pick<Services, "log">,
  groups: readonly Group[],
  changes: readonly LoggedChange[],
): Promise<ReadonlyMap<Group, ChangeEvents | null>> {
  const events = new Map<Group, ChangeEvents | null>();
  const eventsOf = await readerOf(services, groups, changes);
  const waiting = groups[Symbol.iterator]();
  const readInTurn = async () => {
    for (const group of waiting) {
      const ofGroup = await eventsOf(group).catch((err: unknown) => {
        if (isUnavailable(err)) throw err;
        // The others need not wait for it.
        services.log.error({ err, resources: group.resources }, "changes cannot be read");
        return null;
      });
      events.set(group, ofGroup);
    }
  };
  await Promise.all(Array.from({ length: maxGroups }, readInTurn));
  return events;
}

/**
 * The events that a returning reader has missed in a range of the log, or in its first part where it is long. After a
 * restart many readers return at once with the same position: they share what is read.
 */
export function missedEvents(
  services: Given,
  group: Group,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<RangeEvents> {
  const key = `${after} ${upTo}`;
  const known = group.kept.get(key);
  if (known !== undefined) return known;
  const events = readMissed(services, group, after, upTo);
  group.kept.set(key, events);
  const forget = () => group.kept.delete(key);
  events.catch(forget);
  setTimeout(forget, keptMs).unref();
  return events;
}

async function readMissed(
  services: Given,
  group: Group,
  after: number,
  upTo: number,
): Promise<RangeEvents> {
  const moves = group.watched.flatMap(({ own }) => own?.moves ?? []);
  const resources = [...group.resources, ...moves.map(({ resource }) => resource)];
  const changes = await readChanges(services.db, { after, upTo, resources, most: maxAtOnce });
  const end = changes.length < maxAtOnce ? upTo : (changes.at(-1)?.n ?? upTo);
  const eventsOf = await readerOf(services, [group], changes);
  return { ...(await eventsOf(group)), end };
}

/** A function that reads the events of one of the groups. They share what is read for the same watch. */
async function readerOf(
  services: Given,
  groups: readonly Group[],
  changes: readonly LoggedChange[],
): Promise<(group: Group) => Promise<ChangeEvents>> {
  const changed = changedRecords(changes);
  const own = await findOwnChanges(services.db, groups, changes, changed);
  const read = new Map<string, Promise<readonly RecordEvent[]>>();
  return async (group) => {
    if (group.resources.some((resource) => changed.get(resource)?.isEmptied === true)) {
      return { events: [], reset: "schema" };
    }
    if (own.haveMoved(group)) return { events: [], reset: "rights" };
    const found: RecordEvent[] = [];
    for (const watched of group.watched) {
      const records = changed.get(watched.table.resource);
      if (records === undefined || !own.concern(watched, group.account)) continue;
      const events = read.get(watched.key) ?? recordEvents(services, watched, records);
      read.set(watched.key, events);
      for (const event of await events) found.push(event);
    }
    found.sort((one, other) => one.n - other.n);
    return { events: found.map(({ json }) => eventText("change", json)), reset: null };
  };
}
