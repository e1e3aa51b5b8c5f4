import type { Services } from "../../own-code/index.js";
import { type LoggedChange, readChanges } from "../log/read.js";
import { type ChangeEvents, changeEvents } from "./change-events.js";
import { hasOwnershipChanged } from "./ownership-changed.js";
import type { Group, RangeEvents } from "./reader.js";

type Given = Pick<Services, "db" | "signFiles">;

/** Changes that are read together. */
export const maxAtOnce = 1000;

/** Groups whose events are read at the same time: few, so that connections are left for requests. */
const maxGroups = 4;

/** Milliseconds for which the events of a returning reader are kept for others. */
const keptMs = 2_000;

/** The events of each group for some changes of the log. */
export async function eventsForGroups(
  services: Given,
  groups: readonly Group[],
  changes: readonly LoggedChange[],
): Promise<ReadonlyMap<Group, ChangeEvents>> {
  const events = new Map<Group, ChangeEvents>();
  const waiting = groups[Symbol.iterator]();
  const readInTurn = async () => {
    for (const group of waiting) events.set(group, await eventsForGroup(services, group, changes));
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
  const checks = group.watched.flatMap(({ ownershipChecks }) => ownershipChecks);
  const resources = [...group.resources, ...checks.map(({ resource }) => resource)];
  const changes = await readChanges(services.db, { after, upTo, resources, most: maxAtOnce });
  const end = changes.length < maxAtOnce ? upTo : (changes.at(-1)?.n ?? upTo);
  return { ...(await eventsForGroup(services, group, changes)), end };
}

async function eventsForGroup(
  services: Given,
  group: Group,
  changes: readonly LoggedChange[],
): Promise<ChangeEvents> {
  if (await hasOwnershipChanged(services.db, group, changes)) {
    return { events: [], reset: "rights" };
  }
  const own = changes.filter(({ resource }) => group.resources.includes(resource));
  return changeEvents(services, group.watched, own);
}
