import type { Table } from "../table/table.js";
import { onceFor } from "./once-for.js";

/** Whether records of the table have a log of changes, which says who wrote them. */
export function isLogged({ changes }: Table<never>): boolean {
  return changes !== undefined;
}

/** Whether a delete is logged, or what is deleted or changed with it in other tables. */
export const isDeleteLogged = onceFor((table: Table<never>): boolean => {
  const found = new Set([table]);
  for (const { inverses = {} } of found) {
    for (const inverse of Object.values(inverses)) found.add(inverse.table());
  }
  return [...found].some(isLogged);
});

/**
 * SQL that is true, and tells the log of changes for the rest of the transaction who writes: the parameter is the id of an
 * account, or JSON with one for each record. Null leaves it as it was: the app itself writes, for whoever wrote before.
 */
export function writerNoted(parameter: string): string {
  return `${writerSet(parameter)} is not null`;
}

/** SQL that does the same and answers a text. */
export function writerSet(parameter: string): string {
  return `set_config('service.account', coalesce(${parameter}::text, current_setting('service.account', true), ''), true)`;
}

/** The parameter for writes of several callers, by the id of each record. */
export function writerOf(
  writes: readonly { readonly id: string; readonly account: string | null }[],
): string | null {
  const [first] = writes;
  const account = first?.account ?? null;
  if (writes.every((write) => write.account === account)) return account;
  return JSON.stringify(Object.fromEntries(writes.map((write) => [write.id, write.account])));
}
