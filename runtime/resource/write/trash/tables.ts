import { plainName } from "../../table/column-keys.js";
import type { Table } from "../../table/table.js";

/**
 * The table with that name in the database: the given one, or one that it links or cascades to, directly or indirectly.
 */
export function tableNamed(table: Table<never>, name: string): Table<never> | null {
  const seen = new Set<Table<never>>();
  const waiting = [table];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    if (plainName(one) === name) return one;
    const linked = Object.values(one.links ?? {}).flatMap((link) => link.table?.() ?? []);
    waiting.push(...linked, ...(one.cascades ?? []).map((cascade) => cascade.table()));
  }
  return null;
}
