import { hasUuids, idColumn, idIn } from "../table/column-keys.js";
import type { Table } from "../table/table.js";

/**
 * Maximum number of inbox rows read. More of them wait only after a large import; a record may then be sent again in an
 * earlier state.
 */
const maxInbox = 2_000;

/** SQL parts of a statement that selects changed records. */
export interface ChangedRows {
  /** A `with` query of the inbox. */
  readonly inbox: string;
  /** Selects one row `_changed` for each record, with the source of its row after the changes. */
  readonly records: string;
  /** Selects the record's row before and after the changes; no row if it did not exist. */
  readonly before: string;
  readonly after: string;
  /**
   * Selects the record's rows after each transaction of the changes except the last; all columns are null if there was
   * no row. Other transactions never saw the values in between.
   */
  readonly between: string;
}

/**
 * Parts of a statement whose values are `$1` the ids of the records, `$2` and `$3` the numbers of each one's first and
 * last change, `$4` the resource. The row before a change is in the log. The row after it is the row before the
 * record's next change, numbered or not; without a next change it is the stored row. A deletion from the trash changes
 * no row.
 */
export function changedRows(of: Table<never>): ChangedRows {
  const { name: table } = of;
  return {
    inbox: `_inbox as materialized (
      select distinct on (id) id, before
      from (
        select seq, id, before
        from service.changes_new
        where resource = $4
          and seq >= (select lowest_seq from service.change_counter)
          and op <> 'purge'
        order by seq
        limit ${maxInbox}
      ) as _first
      order by id, seq
    )`,
    records: `${changedIds(of)}
    left join lateral (
      select true as _is, before
      from service.changes as _log
      where _log.resource = $4
        and _log.id = _changed.id
        and _log.n > _changed.last
        and _log.op <> 'purge'
      order by _log.n
      limit 1
    ) as _later on true
    left join _inbox on _later._is is null and _inbox.id = _changed.id`,
    before: rowsOf(
      table,
      `select before
          from service.changes
          where n = _changed.first and before is not null`,
    ),
    after: `select ${table}.* from ${table}
          where ${table}.${idColumn(of)} = ${idIn(of, "_changed")} and _later._is is null and _inbox.id is null
          union all
          select _row.*
          from jsonb_populate_record(null::${table}, coalesce(_later.before, _inbox.before)) as _row
          where coalesce(_later.before, _inbox.before) is not null`,
    between: rowsOf(
      table,
      `select before
          from (
            select n, before, tx = lag(tx) over (order by n) as is_inner
            from service.changes
            where resource = $4
              and id = _changed.id
              and n >= _changed.first
              and n <= _changed.last
              and op <> 'purge'
          ) as _each
          where n > _changed.first and is_inner is not true`,
    ),
  };
}

/**
 * SQL for the records in the log: the UUID and the first and last change of each, and its own id if that is not a UUID.
 */
function changedIds(table: Table<never>): string {
  const sent = "unnest($1::uuid[], $2::bigint[], $3::bigint[])";
  if (hasUuids(table)) return `${sent} as _changed (id, first, last)`;
  return `(
      select _sent.*, _log.key
      from ${sent} as _sent (id, first, last)
      join service.changes as _log on _log.n = _sent.last
    ) as _changed`;
}

/**
 * Converts the values of `before` in a select to rows. Without `offset`, PostgreSQL may convert the whole log before it
 * filters: that takes long, and fails if a change of any table does not fit.
 */
function rowsOf(table: string, select: string): string {
  return `select _row.*
        from (
          ${select}
          offset 0
        ) as _log
        left join lateral jsonb_populate_record(null::${table}, _log.before) as _row on true`;
}
