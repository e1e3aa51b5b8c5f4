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

interface StoreOptions {
  /** Whether files are stored; false where everything will be rolled back. */
  readonly mayStore: boolean;
}

/** Stores the records of seed files in a transaction. */
export interface Seeder {
  store(record: SeedRecord, by: ByRule, options: StoreOptions): Promise<SeedOutcome>;
}

export function newSeeder({ unit, definitions, storage, now }: SeederOptions): Seeder {
  const { actor, connection } = unit;

  async function withTargets(record: SeedRecord): Promise<SeedOutcome | FileRow> {
    const values: Record<string, unknown> = { ...record.values };
    const problems: Problem[] = [];
    for (const key of Object.keys(values)) {
      const found = await findTarget(connection, definitions, record, key);
      if (found === null) continue;
      if ("waits" in found) return found;
      if ("problems" in found) problems.push(...found.problems);
      else values[key] = found.id;
    }
    return problems.length > 0 ? { problems } : { values, issues: [] };
  }

  return {
    async store(record, by, { mayStore }) {
      const linked = await withTargets(record);
      if (!("values" in linked)) return linked;
      const { definition } = record;
      const dated = withTimes(linked.values, now);
      const fileKeys = Object.keys(dated).filter((key) => isFile(dated[key]));
      const row: FileRow = { values: without(dated, fileKeys), issues: [] };
      const store = keyedStore(actor, connection, definition);
      try {
        const id = await store.find(row, by);
        const stored =
          id === null ? {} : await storedKeys(connection, definition.table, id, fileKeys);
        const files = mayStore ? await filesOf(record, fileKeys, stored) : { values: {} };
        if ("problems" in files) return files;
        const whole = { ...row, values: { ...row.values, ...files.values } };
        if (id !== null) return { stored: await store.settle(whole, id) };
        return { stored: await store.add(whole) };
      } catch (error) {
        const issues = rowIssuesOf(error).filter(
          ({ path }) => mayStore || path === null || !fileKeys.includes(path),
        );
        return {
          problems: issues.map(({ path, message }) =>
            path === null
              ? record.problemAt([], message)
              : record.problemAt([path], `${path}: ${message}`),
          ),
        };
      } finally {
        await unit.next();
      }
    },
  };

  async function filesOf(
    record: SeedRecord,
    keys: readonly string[],
    stored: Readonly<Record<string, string | null>>,
  ): Promise<{ readonly values: object } | { readonly problems: readonly Problem[] }> {
    const values: Record<string, string> = {};
    const problems: Problem[] = [];
    for (const key of keys) {
      const found = await storage.keyOf(record, key, stored[key] ?? null);
      if ("key" in found) values[key] = found.key;
      else problems.push(found.problem);
    }
    return problems.length > 0 ? { problems } : { values };
  }
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
  return { updatedAt: at, ...values, createdAt: at };
}

function without(values: Readonly<Record<string, unknown>>, keys: readonly string[]) {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}
