import type { Queryable } from "../../db/index.js";
import type { Queries, Table } from "../table/table.js";

/** A link that prevents the deletion of a record. */
export interface Held extends Pick<Table<never>, "singular" | "dependants"> {
  readonly queries: Pick<Queries, "deleted">;
}

/**
 * "12 products and 3 offers still belong to this category". Records that the delete would cascade to are
 * not counted.
 */
export async function inUse(db: Queryable, table: Held, id: string): Promise<string> {
  const counts = table.dependants.map(
    (dependant, at) =>
      `(select count(*) from ${dependant.table} where ${dependant.match}) as n${at}`,
  );
  const text = `${table.queries.deleted ?? ""} select ${counts.join(", ")}`;
  const [row] = await db.query<Record<string, string>>(text, [id]);
  const named = table.dependants.flatMap(({ plural, singular }, at) => {
    const count = Number(row?.[`n${at}`] ?? 0);
    return count === 0 ? [] : [{ count, words: `${count} ${count === 1 ? singular : plural}` }];
  });
  const list = new Intl.ListFormat("en").format(named.map(({ words }) => words));
  const verb = named.length === 1 && named[0]?.count === 1 ? "belongs" : "belong";
  // The last of them may have been deleted between the refusal and the count.
  const subject = named.length === 0 ? "Other records" : list;
  const others =
    table.queries.deleted === undefined ? "" : " or to records that are deleted with it";
  return `${subject} still ${verb} to this ${table.singular}${others}`;
}
