import type { Actor } from "../../own-code/index.js";
import { writerOf } from "../../request/index.js";
import type { Table } from "../table/table.js";

/** Whether records of the table have a log of changes, which says who wrote them. */
export function isLogged({ changes }: Table<never>): boolean {
  return changes !== undefined;
}

/** Who writes on behalf of the actor, for the log of changes; `account` is that of the rules that apply. */
export function writerBy(
  { services }: Actor,
  { account }: { readonly account: string | null },
): string | null {
  return writerOf(services.request ?? null, account);
}

/**
 * SQL that is true, and notes for the log of changes, for the rest of the transaction, who writes: the parameter is what
 * `writerOf` returns, or JSON with that of each record. Null keeps the writer that the transaction has noted, if any.
 */
export function writerNoted(parameter: string): string {
  return `${writerSet(parameter)} is not null`;
}

/** SQL that does the same and answers a text. */
export function writerSet(parameter: string): string {
  return `set_config('service.account', coalesce(${parameter}::text, current_setting('service.account', true), ''), true)`;
}

/** The parameter for writes of several writers, by the id of each record. */
export function writerOfEach(
  writes: readonly { readonly id: string; readonly writer: string | null }[],
): string | null {
  const [first] = writes;
  const writer = first?.writer ?? null;
  if (writes.every((write) => write.writer === writer)) return writer;
  return JSON.stringify(Object.fromEntries(writes.map((write) => [write.id, write.writer])));
}
