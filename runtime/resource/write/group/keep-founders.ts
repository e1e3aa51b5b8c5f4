import type { Queryable } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { KeptFounder, Table } from "../../table/table.js";
import type { Write } from "../operation.js";

/** Memberships that a write deletes or changes. Each group must keep one of them with its founder's role. */
export interface Touched {
  /** The membership table as SQL. */
  readonly name: string;
  readonly founders: readonly KeptFounder[];
  /** SQL for the ids of the memberships, after `deleted`; `$1` is the id of the written record. */
  readonly ids: string;
  /** A `with` clause; empty if `ids` needs none. */
  readonly deleted: string;
}

/** The memberships that a write deletes or changes: its record, and those deleted by `onDelete: cascade`. */
export function touchedBy({ table, kind }: Pick<Write, "table" | "kind">): readonly Touched[] {
  const own = kind === "create" ? [] : touched(table, { ids: "$1", deleted: "" });
  if (kind !== "delete") return own;
  const { cascades = [], queries } = table;
  const others = cascades.flatMap((cascade) =>
    touched(cascade.table(), { ids: cascade.ids, deleted: queries.deleted ?? "" }),
  );
  return [...own, ...others];
}

function touched(
  { name, founders = [] }: Table<never>,
  rows: Pick<Touched, "ids" | "deleted">,
): readonly Touched[] {
  return founders.length === 0 ? [] : [{ name, founders, ...rows }];
}

/**
 * Locks the groups that could lose their last founder, so that the second of two concurrent writes sees the first one's
 * result. Returns the check to run after the write in the same transaction: 409 if a remaining group has lost its last
 * founder.
 */
export async function holdFounders(
  db: Queryable,
  all: readonly Touched[],
  id: string,
): Promise<() => Promise<void>> {
  const held: (Founders & { readonly groups: readonly string[] })[] = [];
  for (const of of all) {
    for (const founder of of.founders) {
      const groups = await lockedGroups(db, { of, founder }, id);
      if (groups.length > 0) held.push({ of, founder, groups });
    }
  }
  return async () => {
    for (const { groups, ...founders } of held) {
      if (await isWithoutFounder(db, founders, groups)) {
        const { singular, role } = founders.founder;
        refuse("IN_USE", { error: `A ${singular} cannot lose its last ${JSON.stringify(role)}` });
      }
    }
  };
}

/** The affected memberships with a founder's role. */
interface Founders {
  readonly of: Touched;
  readonly founder: KeptFounder;
}

/** Locks the groups with affected founders, and returns their ids. New memberships need not wait for the lock. */
async function lockedGroups(
  { query }: Queryable,
  { of: { name, ids, deleted }, founder }: Founders,
  id: string,
): Promise<string[]> {
  const { groups, group, column, role } = founder;
  const rows = await query<{ id: string }>(
    `${deleted}
    select id from ${groups}
    where id in (select ${group} from ${name} where id in (${ids}) and ${column} = $2)
    order by id
    for no key update`,
    [id, role],
  );
  return rows.map((row) => row.id);
}

async function isWithoutFounder(
  { query }: Queryable,
  { of: { name }, founder }: Founders,
  ids: readonly string[],
): Promise<boolean> {
  const { groups, group, column, role } = founder;
  const rows = await query(
    `select id from ${groups} as _group
    where id = any($1) and not exists (
      select from ${name} where ${name}.${group} = _group.id and ${name}.${column} = $2
    )
    limit 1`,
    [ids, role],
  );
  return rows.length > 0;
}
