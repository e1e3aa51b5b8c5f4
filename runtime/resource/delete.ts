import { foreignKeyViolation, type Queryable } from "../db/index.js";
import { refuse } from "../errors/index.js";
import type { Handle } from "../http/index.js";
import { writeWithPolicy } from "./policy-write.js";
import { accessOf, idOf } from "./read.js";
import type { Table } from "./table.js";

/**
 * `DELETE /<resource>/:id`: 204. Optional links to the record are cleared by their foreign keys,
 * and required ones with `onDelete: cascade` are deleted; 409 says how many records refuse that.
 */
export function deleteRecord<Values>(table: Table<Values>): Handle {
  return async (context) => {
    const id = idOf(context);
    await writeWithPolicy(context, table, {
      id,
      action: "delete",
      async write({ query }) {
        const rows = await query(table.queries.delete, [id]);
        if (rows.length === 0) refuse("NOT_FOUND");
      },
    }).catch(async (error: unknown) => {
      if (foreignKeyViolation(error) === null) throw error;
      return refuse("IN_USE", { error: await inUse(accessOf(context, table), table, id) });
    });
    return { status: 204, json: null };
  };
}

/**
 * "12 products and 3 offers still belong to this category". Records that the delete would cascade to are
 * not counted.
 */
async function inUse(db: Queryable, table: Table<never>, id: string): Promise<string> {
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
  // Between the refusal and the count the last of them may have been deleted.
  const subject = named.length === 0 ? "Other records" : list;
  const others =
    table.queries.deleted === undefined ? "" : " or to records that are deleted with it";
  return `${subject} still ${verb} to this ${table.singular}${others}`;
}
