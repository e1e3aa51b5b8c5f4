import type { Action, Table } from "../table/table.js";

/** The most roles and actions of one table that are cached: an app has few roles, but a role can be any text. */
const maxKept = 100;

type Derive = (table: Table<never>, action: Action, role: string | null) => Table<never>;

/** Derives each table once for an action and a role, so that its statements keep their texts and stay prepared. */
export function byRole(derive: Derive): Derive {
  const tables = new WeakMap<Table<never>, Map<string, Table<never>>>();
  return (table, action, role) => {
    const kept = tables.get(table) ?? new Map<string, Table<never>>();
    tables.set(table, kept);
    const key = JSON.stringify([action, role]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= maxKept) kept.clear();
    const derived = derive(table, action, role);
    kept.set(key, derived);
    return derived;
  };
}
