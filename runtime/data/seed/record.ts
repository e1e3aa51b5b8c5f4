import {
  type ByRule,
  type FileRow,
  keyedStore,
  type ResourceDefinition,
  type RowsUnit,
  rowIssuesOf,
  storedKeys,
} from "../../resource/index.js";
import type { Problem } from "../../values/problem.js";
import { readTimestamp } from "../../values/time.js";
import { isFile, type SeedStorage } from "./files.js";
import { findTarget } from "./links.js";
import type { SeedRecord } from "./read.js";
import type { SeedCounts } from "./request.js";

/** The outcome of a record; `waits`: its link finds no record of that resource yet. */
export type SeedOutcome =
  | { readonly stored: keyof SeedCounts }
  | { readonly problems: readonly Problem[] }
  | { readonly waits: string; readonly problem: Problem };

interface SeederOptions {
  readonly unit: RowsUnit;
  readonly definitions: readonly ResourceDefinition[];
  readonly storage: SeedStorage;
  /** The time from which `-12d` counts. */
  readonly now: Date;
}

/** Stores the records of seed files in a transaction. */
export interface Seeder {
  /**
   * With `lost` no link waits any more: one that finds nothing is a mistake, which is not reported where its resource is
   * among them.
   */
  store(record: SeedRecord, by: ByRule, lost?: ReadonlySet<string>): Promise<SeedOutcome>;
}

/** The values of a record as far as they are right, and what is wrong with the others, by their keys. */
interface Resolved {
  readonly values: Readonly<Record<string, unknown>>;
  readonly wrong: ReadonlyMap<string, readonly Problem[]>;
}

export function newSeeder({ unit, definitions, storage, now }: SeederOptions): Seeder {
  const { actor, connection } = unit;

  async function withTargets(
    record: SeedRecord,
    lost?: ReadonlySet<string>,
  ): Promise<Resolved | Extract<SeedOutcome, { readonly waits: string }>> {
    const values: Record<string, unknown> = { ...record.values };
    const wrong = new Map<string, readonly Problem[]>();
    for (const key of Object.keys(values)) {
      const found = await findTarget(connection, definitions, record, key);
      if (found === null) continue;
      if ("waits" in found) {
        if (lost === undefined) return found;
        wrong.set(key, lost.has(found.waits) ? [] : [found.problem]);
      } else if ("problems" in found) wrong.set(key, found.problems);
      else values[key] = found.id;
    }
    return { values: without(values, [...wrong.keys()]), wrong };
  }

  return {
    async store(record, by, lost) {
      const linked = await withTargets(record, lost);
      if ("waits" in linked) return linked;
      const { definition } = record;
      const dated = withTimes(linked.values, now);
      const fileKeys = Object.keys(dated).filter((key) => isFile(dated[key]));
      const row = rowOf(without(dated, fileKeys), linked.wrong);
      const store = keyedStore(actor, connection, definition);
      let files: Resolved | null = null;
      try {
        const id = await store.find(row, by);
        const stored =
          id === null ? {} : await storedKeys(connection, definition.table, id, fileKeys);
        files = await filesOf(record, fileKeys, stored);
        const wrong = new Map([...linked.wrong, ...files.wrong]);
        const whole = rowOf({ ...row.values, ...files.values }, wrong);
        if (id !== null) return { stored: await store.settle(whole, id) };
        return { stored: await store.add(whole) };
      } catch (error) {
        const issues = rowIssuesOf(error);
        files ??= await filesOf(record, fileKeys, {});
        const wrong = new Map([...linked.wrong, ...files.wrong]);
        const others = issues
          .filter(({ path }) => path === null || !wrong.has(path))
          .map(({ path, message }) =>
            path === null
              ? record.problemAt([], message)
              : record.problemAt([path], `${path}: ${message}`),
          );
        return { problems: [...[...wrong.values()].flat(), ...others] };
      } finally {
        await unit.next();
      }
    },
  };

  async function filesOf(
    record: SeedRecord,
    keys: readonly string[],
    stored: Readonly<Record<string, string | null>>,
  ): Promise<Resolved> {
    const values: Record<string, string> = {};
    const wrong = new Map<string, readonly Problem[]>();
    for (const key of keys) {
      const found = await storage.keyOf(record, key, stored[key] ?? null);
      if ("key" in found) values[key] = found.key;
      else wrong.set(key, [found.problem]);
    }
    return { values, wrong };
  }
}

/** A row that is refused, before any hook, where something is wrong with it. */
function rowOf(values: Resolved["values"], wrong: Resolved["wrong"]): FileRow {
  return { values, issues: [...wrong.keys()].map((path) => ({ path, message: "Is reported" })) };
}

const daysAgo = /^-(\d{1,5})d$/;
const dayMs = 86_400_000;

/** The values with a time in the place of `-12d`; a record that gives no other was last changed when it was created. */
function withTimes(values: Readonly<Record<string, unknown>>, now: Date) {
  const { createdAt } = values;
  if (typeof createdAt !== "string") return values;
  const [, days] = daysAgo.exec(createdAt) ?? [];
  const at =
    days === undefined ? createdAt : new Date(now.getTime() - Number(days) * dayMs).toISOString();
  // One that cannot be read is one mistake, not two.
  const changed = readTimestamp(at) === null ? {} : { updatedAt: at };
  return { ...changed, ...values, createdAt: at };
}

function without(values: Readonly<Record<string, unknown>>, keys: readonly string[]) {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}
