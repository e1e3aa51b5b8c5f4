/**
 * SQL for the changes with the numbers that `numbers` selects, each with the row `before` and `after` it as `jsonb`, or
 * null if there was no row. The row after a change is the row before the record's next change, or else the current row,
 * which includes changes not yet numbered. A deletion from the trash changes no row: SQL may have stored a new one with
 * the same id.
 */
export function withImages(table: string, numbers: string): string {
  return `(
    select change.n, change.at, change.op, change.id,
      change.account, change.token, change.job, change.before,
      case
        when change.op in ('delete', 'trash', 'purge') then null
        when next.is_found then next.before
        else to_jsonb(_present)
      end as after
    from service.changes as change
    left join lateral (
      select true as is_found, later.before
      from service.changes as later
      where later.resource = change.resource
        and later.id = change.id
        and later.n > change.n
        and later.op <> 'purge'
      order by later.n
      limit 1
    ) as next on true
    left join ${table} as _present on _present.id = change.id and next.is_found is null
    where change.n in (${numbers})
  )`;
}

/** SQL for a row of the table, under the table's name, with the columns that the image has. */
export function rowOf(table: string, image: string): string {
  return `service.row_of(null::${table}, ${image}) as ${table}`;
}

/** SQL for the names of the columns that differ; one of the two images may be null. */
export function changedColumns(before: string, after: string): string {
  return `array(
    select key
    from jsonb_each(coalesce(${before}, ${after})) as one
    where coalesce(${before} -> key, 'null') <> coalesce(${after} -> key, 'null')
  )`;
}
