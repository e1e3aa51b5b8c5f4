import { moveSequence, type Queryable } from "../../db/index.js";
import type { ResourceDefinition } from "../../resource/index.js";

/** Advances the sequence of a table's ids past those that files contained; other tables have no sequence. */
export async function moveIds(
  session: Queryable,
  { table: { name, columns } }: Pick<ResourceDefinition, "table">,
): Promise<void> {
  if (columns.id?.made !== "database") return;
  const column = columns.id.name;
  const [found] = await session.query<{ sequence: string | null }>(
    "select pg_get_serial_sequence($1, (parse_ident($2))[1]) as sequence",
    [name, column],
  );
  const sequence = found?.sequence ?? null;
  if (sequence !== null) await moveSequence(session, { sequence, table: name, column });
}
