import { entriesOf } from "../../runtime/values/access-rule.js";
import type { ModelRule, Predicate } from "./condition.js";

/** A table on the path of a condition, with the columns that the condition reads there. */
export interface PathTable {
  readonly table: string;
  readonly columns: readonly string[];
}

type Found = Map<string, Set<string>>;

/**
 * Returns the tables, except accounts, to which the conditions of a rule follow links: changes there affect which
 * records match.
 */
export function pathsOf(rule: ModelRule): readonly PathTable[] {
  const found: Found = new Map();
  for (const entry of entriesOf(rule)) {
    if (typeof entry !== "string" && entry.stored !== undefined) note(entry.stored, null, found);
  }
  return [...found].map(([table, columns]) => ({ table, columns: [...columns] }));
}

/**
 * Collects the tables and columns. `columns` belong to the table that the predicate applies to; null for the record
 * itself.
 */
function note(predicate: Predicate, columns: Set<string> | null, found: Found): void {
  switch (predicate.kind) {
    case "all":
    case "any":
      for (const part of predicate.parts) note(part, columns, found);
      return;
    case "not":
      note(predicate.part, columns, found);
      return;
    case "linked": {
      const { column, to, part } = predicate;
      columns?.add(column);
      if (to.schema !== "public") return;
      const next = found.get(to.table) ?? new Set<string>();
      found.set(to.table, next);
      note(part, next, found);
      return;
    }
    default:
      columns?.add(predicate.column);
  }
}
