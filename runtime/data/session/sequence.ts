import type { Queryable } from "../../db/index.js";
import type { ResourceDefinition } from "../../resource/index.js";

/** Moves the sequence of a table's ids past those that files have given; other tables have none. */
export async function moveSequence(
  { query }: Queryable,
  { table: { name, columns } }: Pick<ResourceDefinition, "table">,
): Promise<void> {
  if (columns.id?.made !== "database") return;
  const { name: id } = columns.id;
  await query(
    `select setval(_sequence.name, _last.id::text::bigint)
     from
       (select pg_get_serial_sequence($1, (parse_ident($2))[1])::regclass as name) as _sequence,
       (select max(${id}) as id from ${name}) as _last
     where _sequence.name is not null
       and _last.id::text::bigint > coalesce(pg_sequence_last_value(_sequence.name), 0)`,
    [name, id],
  );
}
