import { hasConditions } from "../../values/access-rule.js";
import { substituteOf } from "../../values/sql/table-name.js";
import type { AccountSql } from "../rights/account.js";
import { byRole } from "../rights/by-role.js";
import { anyOwnerLink, someRows } from "../rights/grants/grants.js";
import type { LoggedKey, PathTable } from "../table/rule.js";
import type { Action, Mover, Owner, Table } from "../table/table.js";
import { changedRows } from "./changed-rows.js";

/** Statements that find the accounts affected by changes, for accounts that may list only their own records. */
export interface OwnedRights {
  /**
   * Finds the accounts that own one of the changed records before, between or after the changes. `$1` to `$4` are those
   * of `Watched.text`, `$5` the accounts. Each row has the one-based `place` of an account in `$5`.
   */
  readonly owners: string;
  readonly moves: readonly OwnershipMoves[];
}

/** A statement that finds the accounts for which a change to another table adds or removes owned records. */
export interface OwnershipMoves {
  /** The resource of the other table. */
  readonly resource: string;
  /**
   * `$1` are the log numbers of the table's changes, `$2` the accounts. Each row has the one-based `place` of an
   * account in `$2`.
   */
  readonly text: string;
}

/** The statements for a table, shared by all accounts with a role; null if the role may list all records. */
export const ownedRights = byRole((table, action, role): OwnedRights | null => {
  const { owner, access } = table;
  const own = someRows(table, access[action], role);
  if (own === null || !own.isOfAccount) return null;
  const rule = access[action];
  const owners = {
    column: hasConditions(rule) ? undefined : owner?.column,
    owns: own.row(table.name, accountAt),
    type: owner === undefined ? "uuid" : typeOf(owner),
  };
  return {
    owners: ownersText(table, owners),
    moves: owner === undefined ? [] : movesOf(owner, rule, role),
  };
});

/** A statement that finds whether changes to a table on the path of a condition affect which records it allows. */
export interface PathMoves {
  /** The resource of the table on the path. */
  readonly resource: string;
  /** `$1` are the numbers of the table's changes; returns a row if one of them matters. */
  readonly text: string;
}

/** The statements for callers with a role; none if no condition limits what they may list. */
export const pathMoves = byRole((table, action, role): readonly PathMoves[] => {
  const { paths = [], access } = table;
  const some = paths.length === 0 ? null : someRows(table, access[action], role);
  return some?.isConditional === true ? paths.map(pathMovesOf) : [];
});

/** Ignores created rows: no record refers to them yet. */
function pathMovesOf({ resource, table, columns, key }: PathTable): PathMoves {
  const differs = columns.map((one) => `_before.${one} is distinct from _row.${one}`);
  const text = `
    select
    from service.changes as _log
    cross join lateral jsonb_populate_record(null::${table}, _log.before) as _before
    left join ${table} as _row on ${isRowOf(key)}
    where _log.n = any($1::bigint[]) and _log.op <> 'create' and (${differs.join(" or ")})
    limit 1`;
  return { resource, text };
}

/** SQL that is true if `_row` is the row of the change `_log`. */
function isRowOf(key: LoggedKey | undefined): string {
  if (key === undefined) return "_row.id = _log.id";
  const { column, type } = key;
  return `_row.${column} = ${type === "uuid" ? "_log.id" : `_log.key::${type}`}`;
}

/** SQL for the account in statements about several accounts. */
const accountAt: AccountSql = () => "_account.id";

/** The SQL type of an account's id. */
function typeOf({ account }: Owner): string {
  return account ?? "uuid";
}

/** How a table determines the records that an account owns. */
interface Owning {
  /** The only column in the condition; undefined if it uses more. */
  readonly column: string | undefined;
  /** SQL that is true for records that the account owns. */
  readonly owns: string;
  /** The SQL type of an account's id. */
  readonly type: string;
}

function ownersText(table: Table<never>, { column, owns, type }: Owning): string {
  const { inbox, records, before, after, between } = changedRows(table);
  const { alias, on } = substituteOf(table.name);
  return `
    with ${inbox},
    _rows as materialized (
      select ${column === undefined ? "_image.*" : `distinct _image.${column}`}
      from ${records}
      cross join lateral (${before} union all ${between} union all ${after}) as _image
    )
    select _account.place::int as place
    from unnest($5::${type}[]) with ordinality as _account (id, place)
    where exists (select from _rows as ${alias} where ${on(owns)})`;
}

function movesOf(
  owner: Owner,
  rule: Table<never>["access"][Action],
  role: string | null,
): readonly OwnershipMoves[] {
  const { moves = [], leadsTo: _, ...end } = owner;
  return moves.map((mover) => {
    const { resource, leadsTo, members } = mover;
    const next = leadsTo === undefined ? end : { ...end, leadsTo };
    const link = anyOwnerLink({ owner: next }, rule, role);
    const owns = (value: string) => {
      if (members !== undefined) return `${value} = ${accountAt()}`;
      return link?.(value, accountAt) ?? "false";
    };
    return { resource, text: movesText(mover, owns, typeOf(owner)) };
  });
}

/** Ignores created rows, to which no record refers yet, except new memberships. */
function movesText(
  { table, column, members = [], key }: Mover,
  owns: (value: string) => string,
  type: string,
): string {
  const differs = [column, ...members].map((one) => `_before.${one} is distinct from _row.${one}`);
  return `
    with _moved as materialized (
      select _before.${column} as former, _row.${column} as latter
      from service.changes as _log
      cross join lateral jsonb_populate_record(null::${table}, _log.before) as _before
      left join ${table} as _row on ${isRowOf(key)}
      where _log.n = any($1::bigint[])
        ${members.length === 0 ? "and _log.op <> 'create'" : ""}
        and (${differs.join(" or ")})
    )
    select _account.place::int as place
    from unnest($2::${type}[]) with ordinality as _account (id, place)
    where exists (select from _moved where ${owns("_moved.former")} or ${owns("_moved.latter")})`;
}
