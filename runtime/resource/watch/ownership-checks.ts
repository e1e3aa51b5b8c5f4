import type { AccountSql } from "../rights/account.js";
import { ownershipBy } from "../rights/owners.js";
import type { Mover, Table } from "../table/table.js";

/** A statement that finds out whether changes of another table have changed which records an account owns. */
export interface OwnershipCheck {
  /** The resource of that table. */
  readonly resource: string;
  /** `$1` are the numbers of its changes. It returns one row where ownership has changed. */
  readonly text: string;
}

/** The checks of a table, for an account that may list its own records only. */
export function ownershipChecksOf(
  { owner, access }: Table<never>,
  role: string | null,
  account: AccountSql,
): readonly OwnershipCheck[] {
  if (owner === undefined) return [];
  const { moves = [], leadsTo: _, ...end } = owner;
  return moves.map((mover) => {
    const { resource, leadsTo, members } = mover;
    const next = leadsTo === undefined ? end : { ...end, leadsTo };
    const own = ownershipBy({ owner: next }, access.list, role);
    const owns = (value: string) => {
      if (members !== undefined) return `${value} = ${account()}`;
      return own?.link(value, account) ?? "false";
    };
    return { resource, text: textOf(mover, owns) };
  });
}

/** A new record on the path to the owner has no records yet, but a new membership counts. */
function textOf({ table, column, members = [] }: Mover, owns: (value: string) => string): string {
  const differs = [column, ...members].map((one) => `_before.${one} is distinct from _row.${one}`);
  return `
    select true as moved
    from service.changes as _log
    cross join lateral jsonb_populate_record(null::${table}, _log.before) as _before
    left join ${table} as _row on _row.id = _log.id
    where _log.n = any($1::bigint[])
      ${members.length === 0 ? "and _log.op <> 'create'" : ""}
      and (${differs.join(" or ")})
      and (${owns(`_before.${column}`)} or ${owns(`_row.${column}`)})
    limit 1`;
}
