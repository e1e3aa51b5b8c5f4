import { type FileRow, isJson } from "../../resource/index.js";
import type { Problem } from "../../values/problem.js";
import { readTimestamp } from "../../values/time.js";
import { hasFile, type SeedStorage } from "./files.js";
import type { FoundTargets } from "./links.js";
import type { SeedRecord } from "./read.js";

/** A record whose links are resolved. */
export interface Ready {
  readonly record: SeedRecord;
  /** The record's values, without those of `fileKeys` and wrong ones. */
  readonly row: FileRow;
  /** The keys of values with `{ file: … }`. */
  readonly fileKeys: readonly string[];
  /** The issues of values, by key. */
  readonly wrong: Wrong;
}

type Wrong = ReadonlyMap<string, readonly Problem[]>;

/** A link that matches no record of that resource yet. */
export interface Waits {
  readonly waits: string;
  readonly problem: Problem;
}

interface ReadyOptions {
  readonly targets: FoundTargets;
  /** The time that `-12d` is relative to. */
  readonly now: Date;
  /** Set once links no longer wait: see `Seeder`. */
  readonly lost?: ReadonlySet<string> | undefined;
}

/** Prepares a record for storing, unless one of its links must wait. */
export function readyOf(record: SeedRecord, { targets, now, lost }: ReadyOptions): Ready | Waits {
  const values: Record<string, unknown> = { ...record.values };
  const wrong = new Map<string, readonly Problem[]>();
  for (const [key, found] of targets) {
    if ("waits" in found) {
      if (lost === undefined) return found;
      wrong.set(key, lost.has(found.waits) ? [] : [found.problem]);
    } else if ("problems" in found) wrong.set(key, found.problems);
    else values[key] = found.id;
  }
  const dated = withTimes(without(values, [...wrong.keys()]), now);
  const { table } = record.definition;
  const fileKeys = Object.keys(dated).filter((key) => hasFile(dated[key]) && !isJson(table, key));
  return { record, row: rowOf(without(dated, fileKeys), wrong), fileKeys, wrong };
}

/** A record with the keys of its stored files. */
export interface Whole {
  readonly row: FileRow;
  readonly wrong: Wrong;
}

/** Stores the files of the record, except those with the same bytes as the same field of `stored`. */
export async function wholeOf(
  { record, row, fileKeys, wrong }: Ready,
  storage: SeedStorage,
  stored: Readonly<Record<string, readonly string[]>>,
): Promise<Whole> {
  if (fileKeys.length === 0) return { row, wrong };
  const values: Record<string, unknown> = {};
  const all = new Map(wrong);
  for (const key of fileKeys) {
    const found = await storage.valueOf(record, key, stored[key] ?? []);
    if ("value" in found) values[key] = found.value;
    else all.set(key, [found.problem]);
  }
  return { row: rowOf({ ...row.values, ...values }, all), wrong: all };
}

/** A row that is refused, before any hook, if it has an issue. */
function rowOf(values: FileRow["values"], wrong: Wrong): FileRow {
  return { values, issues: [...wrong.keys()].map((path) => ({ path, message: "Is reported" })) };
}

const daysAgo = /^-(\d{1,5})d$/;
const dayMs = 86_400_000;

/** Replaces `-12d` by a time; without an `updatedAt` the record was last changed when it was created. */
function withTimes(values: Readonly<Record<string, unknown>>, now: Date) {
  const { createdAt } = values;
  if (typeof createdAt !== "string") return values;
  const [, days] = daysAgo.exec(createdAt) ?? [];
  const at =
    days === undefined ? createdAt : new Date(now.getTime() - Number(days) * dayMs).toISOString();
  // An unreadable time is one mistake, not two.
  const changed = readTimestamp(at) === null ? {} : { updatedAt: at };
  return { ...changed, ...values, createdAt: at };
}

function without(values: Readonly<Record<string, unknown>>, keys: readonly string[]) {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}
