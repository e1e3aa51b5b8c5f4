import type { BodyIssue } from "../../errors/index.js";
import { listWords } from "../../values/text.js";
import { idColumn, qualified } from "./column-keys.js";
import type { UniqueTogether } from "./rule.js";
import { columnOf, type Table } from "./table.js";

/** The unique combinations that a write of these fields may violate. */
export function rulesOf({ uniques = [] }: Table<never>, keys: readonly string[]): UniqueTogether[] {
  return uniques.filter(({ matches }) => keys.some((key) => Object.hasOwn(matches, key)));
}

/**
 * SQL that is true if another record has all the values of a rule. `sqlOf` returns the SQL of a field's value, `except`
 * excludes the record itself. The other record has an alias, so that a value may be a column of the table.
 */
export function isTaken(
  { name }: Table<never>,
  { matches }: UniqueTogether,
  { sqlOf, except }: { readonly sqlOf: (key: string) => string; readonly except: string },
): string {
  const all = Object.entries(matches).map(([key, match]) => match(sqlOf(key)));
  return `exists (select from ${name} as _other where ${all.join(" and ")}${except})`;
}

interface Untaken {
  /** SQL of the record's id; null if the database generates it. */
  readonly id: string | null;
  /** The SQL of the value of the field at a position in `keys`. */
  readonly valueAt: (at: number) => string;
  readonly isNew?: boolean;
}

/**
 * SQL conditions that no other record has the new values. For rules on several fields, the stored values complete them.
 */
export function untaken(
  table: Table<never>,
  keys: readonly string[],
  { id, valueAt, isNew = false }: Untaken,
): readonly string[] {
  const except = id === null ? "" : ` and ${idColumn(table)} <> ${id}`;
  const sqlOf = (key: string) => {
    const at = keys.indexOf(key);
    return at < 0 ? storedValue(table, key) : valueAt(at);
  };
  const single = keys.flatMap((key, at) => {
    const match = columnOf(table, key)?.unique?.match(valueAt(at));
    return match === undefined
      ? []
      : [`not exists (select from ${table.name} where ${match}${except})`];
  });
  // A new record has no stored values: if one is left to the column's default, only the index can check the rule.
  const isKnown = ({ matches }: UniqueTogether) =>
    !isNew || Object.keys(matches).every((key) => keys.includes(key));
  const several = rulesOf(table, keys)
    .filter(isKnown)
    .map((rule) => `not ${isTaken(table, rule, { sqlOf, except })}`);
  return [...single, ...several];
}

function storedValue(table: Table<never>, key: string): string {
  const column = columnOf(table, key);
  return column === null ? "null" : qualified(table.name, column);
}

/** Returns one issue for each field of the rule. */
export function issuesOf({ matches }: UniqueTogether): BodyIssue[] {
  const keys = Object.keys(matches);
  return keys.map((path) => ({ path, message: `Another record has the same ${listWords(keys)}` }));
}

/** The field that the 409 response names. */
export function firstFieldOf({ matches }: UniqueTogether): string | undefined {
  return Object.keys(matches)[0];
}
