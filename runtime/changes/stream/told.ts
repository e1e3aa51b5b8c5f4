import type { Services } from "../../own-code/index.js";
import { type LoggedChange, readChanges } from "../log/read.js";
import { isMoved } from "./moved.js";
import type { Group, Part } from "./reader.js";
import { type Told, tell } from "./tell.js";

type Given = Pick<Services, "db" | "signFiles">;

/** Changes that are judged at once. */
export const maxAtOnce = 1000;

/** Groups that are judged at once: a few, so that requests find connections too. */
const maxGroups = 4;

/** Milliseconds for which what a returning reader was told is kept for others. */
const keptMs = 2_000;

/** What each group is told of some changes of the log. */
export async function tellAll(
  services: Given,
  groups: readonly Group[],
  changes: readonly LoggedChange[],
): Promise<ReadonlyMap<Group, Told>> {
  const told = new Map<Group, Told>();
  const waiting = groups[Symbol.iterator]();
  const judge = async () => {
    for (const group of waiting) told.set(group, await tellOne(services, group, changes));
  };
  await Promise.all(Array.from({ length: maxGroups }, judge));
  return told;
}

/**
 * What a returning reader has missed in a range of the log, or at its beginning. Many come back at once with the same
 * position, after a restart: they share what is read.
 */
export function missed(
  services: Given,
  group: Group,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<Part> {
  const key = `${after} ${upTo}`;
  const known = group.kept.get(key);
  if (known !== undefined) return known;
  const part = readMissed(services, group, after, upTo);
  group.kept.set(key, part);
  const forget = () => group.kept.delete(key);
  part.catch(forget);
  setTimeout(forget, keptMs).unref();
  return part;
}

async function readMissed(
  services: Given,
  group: Group,
  after: number,
  upTo: number,
): Promise<Part> {
  const movers = group.watched.flatMap(({ moves }) => moves.map(({ resource }) => resource));
  const resources = [...group.resources, ...movers];
  const changes = await readChanges(services.db, { after, upTo, resources, most: maxAtOnce });
  const end = changes.length < maxAtOnce ? upTo : (changes.at(-1)?.n ?? upTo);
  return { ...(await tellOne(services, group, changes)), end };
}

async function tellOne(
  services: Given,
  group: Group,
  changes: readonly LoggedChange[],
): Promise<Told> {
  if (await isMoved(services.db, group, changes)) return { events: [], reset: "rights" };
  const own = changes.filter(({ resource }) => group.resources.includes(resource));
  return tell(services, group.watched, own);
}
