import type { Caller } from "../../own-code/index.js";
import type { Action, Column, Columns, Link, Table } from "../table/table.js";
import { account } from "./account.js";
import { byRole } from "./by-role.js";
import { ownRowsOf, withFields, withOwnRows } from "./readable.js";
import { isForOwnOnly, isWrittenAlike } from "./rules.js";

/**
 * The table as an account with this role may write it by that action. Answers lack the fields that it may not
 * read; other people's records are not found where the rule admits it as the owner only; links cannot lead to
 * records that it may not read.
 */
const writable = byRole((table, action, role) =>
  withLinks(withRows(table, action, role), action, role),
);

/** The table as a caller may write it; unchanged for the app itself, which may write everything. */
export function writableBy<Values>(
  caller: Caller | null,
  table: Table<Values>,
  action: Action,
): Table<Values> {
  if (caller === null || isWrittenAlike(table)) return table;
  return writable(table, action, caller.role) as Table<Values>;
}

/** Statements store the values of all fields, whoever may read them. */
function withRows(table: Table<never>, action: Action, role: string | null): Table<never> {
  const { columns, links, queries } = table;
  const shown = withFields(table, role);
  const whole = shown === table ? {} : { whole: queries.record };
  const seen = { ...shown, columns, ...(links !== undefined && { links }), ...whole };
  return action === "create" ? seen : withOwnRows(seen, table.access[action], role);
}

/** A link with restricted targets is checked by the statement that stores it. */
function withLinks(table: Table<never>, action: Action, role: string | null): Table<never> {
  const links = Object.entries<Column>(table.columns).flatMap(([key, { link }]) => {
    const condition = link === undefined ? null : conditionOf(table, key, action, role);
    return link === undefined || condition === null
      ? []
      : [[key, { ...link, ...condition, plainMatch: link.match }] as const];
  });
  if (links.length === 0) return table;
  const changed = new Map<string, Link>(links);
  const columns = Object.fromEntries(
    Object.entries<Column>(table.columns).map(([key, column]) => {
      const link = changed.get(key);
      return [key, link === undefined ? column : { ...column, link }];
    }),
  ) as Columns<never>;
  return { ...table, columns };
}

/** The table for values that a hook has set in part: its links may lead to records that the caller could not name. */
export function linkedByHook<Values>(
  table: Table<Values>,
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): Table<Values> {
  const set = Object.entries<Column>(table.columns).flatMap(([key, column]) => {
    const { link } = column;
    if (link?.plainMatch === undefined || values[key] === given[key]) return [];
    const { constraint, plainMatch: match } = link;
    return [[key, { ...column, link: { constraint, match } }] as const];
  });
  if (set.length === 0) return table;
  const columns = { ...table.columns, ...Object.fromEntries(set) } as Columns<Values>;
  return { ...table, columns };
}

/** The condition on the target of the link of this key; null where any existing record will do. */
function conditionOf(
  { owner, access, links = {} }: Table<never>,
  key: string,
  action: Action,
  role: string | null,
): Pick<Link, "match" | "isOwn"> | null {
  if (owner?.field === key && isForOwnOnly(access[action], role)) {
    const { leadsTo } = owner;
    const match = leadsTo === undefined ? `$1::uuid = ${account}::uuid` : leadsTo("$1", account);
    return { match, isOwn: true };
  }
  const target = Object.values(links)
    .find(({ field }) => field === key)
    ?.table?.();
  const own = target === undefined ? null : ownRowsOf(target, target.access.get, role);
  if (target === undefined || own === null) return null;
  const match = `exists (select from ${target.name} as _linked where _linked.id = $1 and ${own("_linked")})`;
  return { match, isOwn: true };
}
