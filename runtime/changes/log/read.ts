import type { Queryable } from "../../db/index.js";

/** A change of a record, or of all records of a resource (`truncate`, which has no id). */
export interface LoggedChange {
  /** The change's number. Numbers have no gaps; the numbers of a record follow the order of its changes. */
  readonly n: number;
  readonly at: Date;
  readonly resource: string;
  readonly op: "create" | "update" | "delete" | "truncate";
  /** The record's id, or a UUID derived from it if it is not a UUID. */
  readonly id: string | null;
  /** The account that wrote the change; null if unknown. */
  readonly account: string | null;
  /** The number of the record's first change in the same transaction. */
  readonly first: number;
  /**
   * Whether it is the record's last change in its transaction: readers get a transaction's changes to a record as one.
   */
  readonly isLast: boolean;
}

export interface LogState {
  /** The log's id; a restore gives the log a new one. */
  readonly log: string;
  readonly n: number;
  /** Changes after this number are complete. Of earlier changes, only those that belong to a history remain. */
  readonly keptAfter: number;
}

export async function readState(db: Queryable): Promise<LogState> {
  const [state] = await db.query<LogState>(
    `select log::text as log, n::float8 as n, kept_after::float8 as "keptAfter"
     from service.change_counter`,
  );
  if (state === undefined) throw new Error("service.change_counter has no row");
  return state;
}

export interface LogRange {
  /** The number before the first. */
  readonly after: number;
  /** The highest number read. */
  readonly upTo: number;
  readonly resources: readonly string[];
  readonly most: number;
}

/**
 * Maximum number of rows of the inbox that are searched for a later change of the transaction. More rows wait only
 * after a transaction of thousands of changes, which may then send a record twice.
 */
const maxInbox = 2_000;

/**
 * Reads the changes of some resources in a range of the log, in order; at most `most` of them. A transaction locks a
 * record's row, so its changes to the record are consecutive; the last ones may have no number yet.
 */
export function readChanges(db: Queryable, range: LogRange): Promise<readonly LoggedChange[]> {
  const { after, upTo, resources, most } = range;
  return db.query<LoggedChange>(
    // A deletion from the trash changes nothing that readers have seen.
    `with _inbox as materialized (
       select resource, id, tx
       from service.changes_new
       where seq >= (select lowest_seq from service.change_counter) and op <> 'purge'
       order by seq
       limit ${maxInbox}
     )
     select n::float8 as n, at, resource,
       case op when 'trash' then 'delete' when 'restore' then 'create' else op end as op,
       id, account,
       case when is_last then coalesce(${firstOfTransaction}, n) else n end::float8 as first,
       is_last as "isLast"
     from (
       select *,
         (resource, id, tx) not in (
           select resource, id, tx from _inbox where id is not null and tx is not null
         ) is not false
         and (
           select later.tx = one.tx
           from service.changes as later
           where later.resource = one.resource
             and later.id = one.id
             and later.n > one.n
             and later.op <> 'purge'
           order by later.n
           limit 1
         ) is not true as is_last
       from service.changes as one
       where n > $1 and n <= $2 and resource = any($3::text[]) and op <> 'purge'
       order by n
       limit $4
     ) as _change
     order by n`,
    [after, upTo, resources, most],
  );
}

/**
 * SQL for the number of the first change of `_change`'s record in its transaction: the record's next change after the
 * last one of another transaction.
 */
const firstOfTransaction = `(
  select earliest.n
  from service.changes as earliest
  where earliest.resource = _change.resource
    and earliest.id = _change.id
    and earliest.op <> 'purge'
    and earliest.n > coalesce(
      (
        select other.n
        from service.changes as other
        where other.resource = _change.resource
          and other.id = _change.id
          and other.n < _change.n
          and (other.tx = _change.tx) is not true
        order by other.n desc
        limit 1
      ),
      0
    )
  order by earliest.n
  limit 1
)`;
