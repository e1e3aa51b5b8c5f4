import type { Queryable } from "../../db/index.js";
import type { BodyIssue } from "../../errors/index.js";
import { cellWords } from "../../values/files/cell-words.js";
import type { Amounts } from "./amounts.js";
import { idColumn, idEquals, idParameter } from "./column-keys.js";
import { kindOf } from "./kinds/kinds.js";
import { placeOf } from "./kinds/links.js";
import type { Entries } from "./rule.js";
import { type Column, columnOf, type Table } from "./table.js";
import { issuesOf, isTaken, rulesOf } from "./uniques.js";

/** Values to store, by key; a missing key leaves the record's value unchanged. */
export type Values = Readonly<Record<string, unknown>>;

interface Lookup {
  /** SQL that is true if the value cannot be stored; for a list, SQL for the positions of such elements. */
  readonly sql: string;
  /** The issues for the result of `sql`. */
  readonly issues: (found: unknown) => readonly BodyIssue[];
}

/** The record in which values are stored, and the account. */
export interface Storing {
  readonly table: Table<never>;
  /** The records to which the links with these keys may refer, if not all. */
  readonly view: { readonly targets: ReadonlyMap<string, Target> };
  /** The id of the account to which the conditions on targets refer. */
  readonly account: string | null;
  /** The id of the changed record; null for a new one. */
  readonly id: string | null;
  /** The id that the caller chose for a new record, which another may already have; otherwise omitted. */
  readonly givenId?: string | null;
  /** The operations on stored values that produced the values. */
  readonly checked?: { readonly amounts?: Amounts };
}

/**
 * SQL that is true if the value, given as SQL, is null or the id of a record to which the account may link. In a field
 * that names the owner, the value may be the account's id.
 */
export type Target = (
  value: string,
  account: () => string,
  /** SQL for the stored record's value in a column; omitted for a new record. */
  stored?: (column: string) => string,
) => string;

interface Attempt extends Storing {
  readonly values: Values;
  /** Adds a value to the statement; returns the SQL for its parameter. */
  parameter(value: unknown): string;
}

/**
 * Looks up, in one statement, every value that another record already has and every link to a missing record. The
 * constraints decide about a write; this only reports what they would refuse.
 */
export async function findConflicts(
  db: Queryable,
  { table, view, account, id, givenId = null, checked }: Storing,
  values: Values,
): Promise<BodyIssue[]> {
  const parameters: unknown[] = [];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const attempt = { table, view, account, values, id, parameter, ...(checked && { checked }) };
  const lookups = [
    ...(givenId === null ? [] : [ofId(table, parameter(givenId))]),
    ...Object.keys(values).flatMap((key) => ofField(attempt, key)),
    ...ofRules(attempt),
  ];
  if (lookups.length === 0) return [];
  const selected = lookups.map(({ sql }, at) => `${sql} as c${at}`).join(", ");
  const [row] = await db.query<Record<string, unknown>>(`select ${selected}`, parameters);
  return lookups.flatMap(({ issues }, at) => issues(row?.[`c${at}`]));
}

function ofId(table: Table<never>, id: string): Lookup {
  const found = `select from ${table.name} where ${idEquals(table, id)}`;
  return { sql: `exists (${found})`, issues: ifTrue({ path: "id", message: cellWords.taken }) };
}

function ofField(attempt: Attempt, key: string): Lookup[] {
  const { table, view, account, values, parameter } = attempt;
  const column = columnOf(table, key);
  const value = values[key];
  if (column === null) return [];
  const lookups: Lookup[] = [];
  if (column.entries !== undefined) {
    return value === null ? [] : [ofList(attempt, key, { column, entries: column.entries })];
  }
  if (value === null) {
    // A caller who may set only its own account cannot leave the field empty.
    const own = view.targets.get(key);
    if (own === undefined) return [];
    const match = own(parameter(value), () => parameter(account));
    return [
      {
        sql: `(${match}) is not true`,
        issues: ifTrue({ path: key, message: kindOf(column).missing }),
      },
    ];
  }
  if (column.unique !== undefined) {
    const match = column.unique.match(`${parameter(value)}${kindOf(column).cast}`);
    lookups.push({
      sql: `exists (select from ${table.name} where ${match}${butNot(attempt)})`,
      issues: ifTrue({ path: key, message: cellWords.taken }),
    });
  }
  const target: Target | undefined = view.targets.get(key) ?? column.link?.match;
  if (target !== undefined) {
    const sent = `${parameter(value)}${kindOf(column).cast}`;
    const match = target(sent, () => parameter(account), storedIn(attempt));
    const issue = { path: key, message: kindOf(column).missing };
    lookups.push({ sql: `not ${match}`, issues: ifTrue(issue) });
  }
  return lookups;
}

/** Finds the ids in a list that lead to no record, or to one to which the account may not link; the same for files. */
function ofList(
  attempt: Attempt,
  key: string,
  { column, entries }: { readonly column: Column; readonly entries: Entries },
): Lookup {
  const { view, account, values, parameter, checked } = attempt;
  const ids = values[key] as readonly string[];
  const target = view.targets.get(key);
  const isThere =
    target === undefined
      ? leadsTo(entries, "_each.id")
      : target("array[_each.id]", () => parameter(account), storedIn(attempt));
  const match = `(${[...isListed(attempt, entries), isThere].join(" or ")})`;
  const { sqlType, missing } = kindOf(column);
  return {
    sql: `array(select at::int from unnest(${parameter(ids)}::${sqlType}) with ordinality as _each (id, at) where not ${match} order by at)`,
    issues: (found) =>
      (found as readonly number[]).map((at) => ({
        path: [key, ...placeOf(ids[at - 1] ?? "", at - 1, checked?.amounts?.[key])].join("."),
        message: missing,
      })),
  };
}

/** SQL that is true if a stored list in a table of another application already has the element. */
function isListed({ table, id, parameter }: Attempt, entries: Entries): readonly string[] {
  if (id === null || entries.columns === undefined) return [];
  const { key, record, target } = entries.columns;
  const own = `(select ${key} from ${table.name} where ${idEquals(table, parameter(id))})`;
  return [
    `exists (select from ${entries.table} as _entry where _entry.${record} = ${own} and _entry.${target} = _each.id)`,
  ];
}

/** SQL that is true if an element of a list, given as SQL, leads to an existing row. */
export function leadsTo({ target, match, columns }: Entries, element: string): string {
  const key = columns?.targetKey ?? "id";
  return (
    match?.(element) ??
    `exists (select from ${target} as _target where _target.${key} = ${element})`
  );
}

function storedIn({ table, id, parameter }: Attempt): ((column: string) => string) | undefined {
  if (id === null) return undefined;
  return (name) =>
    `(select _stored.${name} from ${table.name} as _stored where _stored.${idEquals(table, parameter(id))})`;
}

function ifTrue(...issues: readonly BodyIssue[]): Lookup["issues"] {
  return (found) => (found === true ? issues : []);
}

function ofRules(attempt: Attempt): Lookup[] {
  const { table, values, id, parameter } = attempt;
  const stored = (key: string) =>
    `(select ${columnOf(table, key)?.name} from ${table.name} where ${idEquals(table, parameter(id))})`;
  const sqlOf = (key: string) =>
    Object.hasOwn(values, key) ? parameter(values[key]) : stored(key);
  return rulesOf(table, Object.keys(values))
    .filter(({ matches }) => Object.keys(matches).every((key) => values[key] !== null))
    .map((rule) => ({
      sql: isTaken(table, rule, { sqlOf, except: butNot(attempt) }),
      issues: ifTrue(...issuesOf(rule)),
    }));
}

/** SQL that excludes the record itself. */
function butNot({ table, id, parameter }: Attempt): string {
  return id === null ? "" : ` and ${idColumn(table)} <> ${idParameter(table, parameter(id))}`;
}
