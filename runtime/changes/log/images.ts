import { hasUuids, idColumn, idIn, type Table } from "../../resource/index.js";
import { type Substitute, substituteOf } from "../../values/sql/table-name.js";

/**
 * SQL for the changes with the numbers that `numbers` selects, each with the row `before` and `after` it as `jsonb`, or
 * null if there was no row. The row after a change is the row before the record's next change, or else the current row,
 * which includes changes not yet numbered. A deletion from the trash changes no row: SQL may have inserted a new row
 * with the same id.
 */
export function withImages(table: Table<never>, numbers: string): string {
  const id = hasUuids(table) ? "change.id" : "change.key as id";
  return `(
    select change.n, change.at, change.op, ${id},
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
    left join ${table.name} as _present on _present.${idColumn(table)} = ${idIn(table, "change")} and next.is_found is null
    where change.n in (${numbers})
  )`;
}

/**
 * SQL that turns an image into a row of the table: `from` is the item of the `from` clause; `on` rewrites SQL on the
 * table's columns to use that row.
 */
export function rowOf(
  { name }: Pick<Table<never>, "name">,
  image: string,
): Pick<Substitute, "on"> & { readonly from: string } {
  const { alias, on } = substituteOf(name);
  return { from: `service.row_of(null::${name}, ${image}) as ${alias}`, on };
}

/** SQL for the names of the columns that differ; one of the two images may be null. */
export function changedColumns(before: string, after: string): string {
  return `array(
    select key
    from jsonb_each(coalesce(${before}, ${after})) as one
    where coalesce(${before} -> key, 'null') <> coalesce(${after} -> key, 'null')
  )`;
}
