import { type ByRule, findRule } from "../batch/upsert.js";
import type { Reader } from "../record/read.js";
import { idColumn, idParameter, sqlTypeOf } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import { columnOf, type Table } from "../table/table.js";
import type { FileRow } from "./row.js";

/** The values by which a row's record is found: `id`, a unique field, or a unique combination of fields. */
export function keyOfRows(table: Table<never>, names: readonly string[]): ByRule | null {
  if (names.length === 1 && names[0] === "id") {
    return [{ key: "id", match: (value) => `${idColumn(table)} = ${idParameter(table, value)}` }];
  }
  return findRule(table, names);
}

export function ownerLinks(table: Table<never>): readonly string[] {
  return Object.values(table.links ?? {}).flatMap((link) =>
    link.table?.() === table ? [link.field] : [],
  );
}

/** A link, or a list of links, whose targets a file names by the value of a unique field. */
export interface NamedLink {
  /** The key of the link's field. */
  readonly key: string;
  readonly isList: boolean;
  /** The column by which the target is found; null for the email address of an account. */
  readonly by: { readonly key: string; readonly table: Table<never> } | null;
  /** SQL for the id of the target that has the value, given as SQL. */
  readonly id: (value: string) => string;
  /** The message for a value that no target has. */
  readonly missing: string;
}

/** The link whose targets a file names by the unique field `by`, or the reason why that is not possible. */
export function namedLink(
  table: Table<never>,
  key: string,
  by: string,
): NamedLink | { readonly problem: string } {
  const column = columnOf(table, key);
  const link = Object.values(table.links ?? {}).find(({ field }) => field === key);
  if (column === null || link === undefined) return { problem: `${key} is not a link` };
  const { missing, isList } = kindOf(column);
  const target = link.table?.();
  if (target === undefined) {
    if (by !== "email") return { problem: `Accounts are found by email, not by ${by}` };
    return { key, isList, by: null, missing, id: accountBy };
  }
  const unique = columnOf(target, by)?.unique;
  if (unique === undefined) {
    return { problem: `${by} is not a unique field of ${target.resource}` };
  }
  return {
    key,
    isList,
    by: { key: by, table: target },
    missing,
    id: (value) => `(select ${idColumn(target)} from ${target.name} where ${unique.match(value)})`,
  };
}

function accountBy(value: string): string {
  return `(select id from service.users where email = lower(${value}))`;
}

/** The name of a link's target, normalized like the target's field. */
export function targetName({ by }: NamedLink, name: unknown): unknown {
  const column = by === null ? null : columnOf(by.table, by.key);
  return typeof name === "string" && column !== null ? kindOf(column).named(name, column) : name;
}

/** Maximum number of cached ids, about a megabyte. */
const maxKnown = 10_000;

/** Finds the targets of a link by their names. */
export type TargetFinder = (link: NamedLink, names: readonly unknown[]) => Promise<TargetsFound>;

/** Looks up the targets of links by name, with one query for all names of a link; caches the ids found. */
export function targetFinder({ query }: Pick<Reader, "query">): TargetFinder {
  const known = new Map<string, string>();
  return async (link, names) => {
    const keyOf = (name: unknown) => `${link.key} ${String(name)}`;
    if (known.size + names.length > maxKnown) known.clear();
    const unknown = [...new Set(names)].filter((name) => !known.has(keyOf(name)));
    const found = new Map<string, string>();
    if (unknown.length > 0) {
      const rows = await query<{ at: number; id: string | null }>(
        `select at, ${link.id("_named.name")}::text as id
        from json_to_recordset($1) as _named (at integer, name ${typeOf(link)})`,
        [JSON.stringify(unknown.map((name, at) => ({ at, name: targetName(link, name) })))],
      );
      for (const { at, id } of rows) {
        if (id !== null) found.set(keyOf(unknown[at]), id);
      }
      for (const [name, id] of found) if (known.size < maxKnown) known.set(name, id);
    }
    return (name) => found.get(keyOf(name)) ?? known.get(keyOf(name)) ?? null;
  };
}

/** The id of the target with that name; null if there is none. */
export type TargetsFound = (name: unknown) => string | null;

function typeOf({ by }: NamedLink): string {
  const column = by === null ? null : columnOf(by.table, by.key);
  return column === null ? "text" : sqlTypeOf(column);
}

/** Replaces the names of link targets in the rows by their ids. */
export async function withTargets(
  find: TargetFinder,
  links: readonly NamedLink[],
  rows: readonly FileRow[],
): Promise<readonly FileRow[]> {
  let linked = rows;
  for (const link of links) {
    const names = linked.flatMap(({ values }) => values[link.key] ?? []);
    if (names.length === 0) continue;
    const idOf = await find(link, names);
    const ready = link.isList ? listingRow : linkedRow;
    linked = linked.map((row) => ready(row, link, idOf));
  }
  return linked;
}

/** The row with ids in its list. A value that is not a list stays, and validation refuses it as in a request body. */
function listingRow(row: FileRow, { key, missing }: NamedLink, idOf: TargetsFound): FileRow {
  const names = row.values[key];
  if (!Array.isArray(names)) return row;
  const ids = names.map(idOf);
  if (!ids.includes(null)) return { ...row, values: { ...row.values, [key]: ids } };
  const { [key]: _, ...values } = row.values;
  const lost = ids.flatMap((id, at) =>
    id === null ? [{ path: `${key}.${at}`, message: missing }] : [],
  );
  return { values, issues: [...row.issues, ...lost] };
}

function linkedRow(row: FileRow, { key, missing }: NamedLink, idOf: TargetsFound): FileRow {
  const name = row.values[key] ?? null;
  if (name === null) return row;
  const id = idOf(name);
  if (id !== null) return { ...row, values: { ...row.values, [key]: id } };
  const { [key]: _, ...values } = row.values;
  return { values, issues: [...row.issues, { path: key, message: missing }] };
}
