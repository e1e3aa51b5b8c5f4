import type { Queryable } from "../db/index.js";
import { refuse } from "../errors/index.js";
import type { Context } from "../http/index.js";
import { checkPolicy, hasPolicy } from "./policy.js";
import { accessOf, type Reader, storedRecord } from "./read.js";
import type { Table } from "./table.js";

interface Write<T> {
  readonly id: string;
  readonly action: "update" | "delete";
  /** Further arguments of the policy, after the caller and the record. */
  readonly about?: readonly unknown[];
  /** Writes through the given reader only: its transaction may hold the only connection. */
  write(reader: Reader): Promise<T>;
}

/**
 * Writes to a stored record. A policy runs in the same transaction, on the locked record, so that nobody
 * changes the record between the decision and the write.
 */
export async function writeWithPolicy<T>(
  context: Context,
  table: Table<never>,
  { id, action, about = [], write }: Write<T>,
): Promise<T> {
  const access = accessOf(context, table);
  if (!hasPolicy(context, table, action)) return write(access);
  return access.transaction(async (connection) => {
    const reader = readerOf(connection);
    await lock(reader, table, { id, action });
    const record: unknown = JSON.parse(await storedRecord(reader, table, id));
    await checkPolicy(context, table, action, record, ...about);
    return write(reader);
  });
}

function readerOf({ query }: Queryable): Reader {
  return { query, lookUp: query };
}

/** Locks the record. It is read afterwards: a statement that waited for the lock does not see every earlier change. */
async function lock(
  { query }: Reader,
  { name }: Table<never>,
  { id, action }: Pick<Write<unknown>, "id" | "action">,
): Promise<void> {
  // Writers that only link to the record need not wait for its update.
  const strength = action === "delete" ? "update" : "no key update";
  const rows = await query(`select id from ${name} where id = $1 for ${strength}`, [id]);
  if (rows.length === 0) refuse("NOT_FOUND");
}
