import type { Actor } from "../../own-code/index.js";
import { writerOf } from "../../request/index.js";
import type { Table } from "../table/table.js";

/** Whether changes of the table's records are logged, with their author. */
export function isLogged({ changes }: Table<never>): boolean {
  return changes !== undefined;
}

/** Returns the author of the actor's writes for the change log; `account` is the one whose rules apply. */
export function writerBy(
  { services }: Actor,
  { account }: { readonly account: string | null },
): string | null {
  return writerOf(services.request ?? null, account);
}

/**
 * SQL that is always true and sets the author of further writes in the transaction, for the change log. The parameter
 * is the result of `writerOf`, or JSON with one for each record; null keeps the current author.
 */
export function writerNoted(parameter: string): string {
  return `${writerSet(parameter)} is not null`;
}

/** SQL that does the same as `writerNoted`, but returns text. */
export function writerSet(parameter: string): string {
  return `set_config('service.account', coalesce(${parameter}::text, current_setting('service.account', true), ''), true)`;
}

/** The parameter for writes of several authors, by the id of each record. */
export function writerOfEach(
  writes: readonly { readonly id: string; readonly writer: string | null }[],
): string | null {
  const [first] = writes;
  const writer = first?.writer ?? null;
  if (writes.every((write) => write.writer === writer)) return writer;
  return JSON.stringify(Object.fromEntries(writes.map((write) => [write.id, write.writer])));
}
