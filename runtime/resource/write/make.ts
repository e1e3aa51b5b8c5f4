import type { JsonObject, Precondition } from "../../http/index.js";
import { type Actor, type Caller, visitor } from "../../own-code/index.js";
import { type BodyKind, checkBody } from "../rights/body.js";
import { purging, trashByRule, wholeTrash } from "../rights/trashed.js";
import { writableBy } from "../rights/writable.js";
import type { Shape } from "../table/definition.js";
import { newId, otherId } from "../table/kinds/value/new-id.js";
import type { Action, Table } from "../table/table.js";
import type { Change, Create, Delete, Restore, Target } from "./operation.js";

/** The content and the caller of a write; the caller is null if no rules apply. */
interface Sent {
  readonly caller: Caller | null;
  readonly id: string;
  readonly values: JsonObject;
  readonly isReverted?: true;
}

/** A new record. Without an id it gets a generated one, or the one in its values. */
type SentCreate = Omit<Sent, "id"> & Partial<Pick<Sent, "id">>;

interface SentChange extends Sent {
  readonly ifMatch: Precondition;
}

/** The caller whose rights are checked; null if the app itself acts. */
export function callerToCheck({ services, caller }: Actor): Caller | null {
  return services.isTrusted === true ? null : (caller ?? visitor);
}

/** Whether the caller is anonymous, and not the app itself. */
export function isVisitor(actor: Actor): boolean {
  return callerToCheck(actor) === visitor;
}

export function createOf<Values extends object>(
  table: Table<never>,
  shape: Shape<Values>,
  { caller, id: known, values, isReverted }: SentCreate,
): Create {
  const target = targetOf(table, "create", caller);
  const { id, issues } = newId(table, values, known);
  const checked = checkBody(table, "create", { shape, body: values, caller, ofId: issues });
  const create = { kind: "create", ...target, id, checked } as const;
  return isReverted === true ? { ...create, isReverted } : create;
}

/** A PATCH: only fields in the body are checked and changed. */
export function updateOf<Values extends object>(
  table: Table<never>,
  shape: Shape<Values>,
  sent: SentChange,
): Change {
  return { kind: "update", ...changeOf(table, { shape, bodyKind: "update" }, sent) };
}

/** A PUT: optional fields missing from the body are cleared. */
export function replaceOf<Values extends object>(
  table: Table<never>,
  shape: Shape<Values>,
  sent: SentChange,
): Change {
  return { kind: "replace", ...changeOf(table, { shape, bodyKind: "replace" }, sent) };
}

/** A change by an upsert or an import row, which create the record if it does not exist. */
export function upsertOf<Values extends object>(
  table: Table<never>,
  shape: Shape<Values>,
  sent: Omit<SentChange, "ifMatch">,
): Change {
  const change = { ...sent, ifMatch: null };
  return { kind: "update", ...changeOf(table, { shape, bodyKind: "upsert" }, change) };
}

function changeOf<Values extends object>(
  table: Table<never>,
  { shape, bodyKind }: { readonly shape: Shape<Values>; readonly bodyKind: BodyKind },
  { caller, id, values, ifMatch, isReverted }: SentChange,
): Omit<Change, "kind"> {
  const ofId = bodyKind === "upsert" ? [] : otherId(table, values, id);
  const checked = checkBody(table, bodyKind, { shape, body: values, caller, ofId });
  const change = { ...targetOf(table, "update", caller), id, ifMatch, checked };
  return isReverted === true ? { ...change, isReverted } : change;
}

export function deleteOf(
  table: Table<never>,
  { caller, id, ifMatch }: Omit<Sent, "values"> & { readonly ifMatch: Precondition },
): Delete {
  return { kind: "delete", ...targetOf(table, "delete", caller), id, ifMatch };
}

/** A permanent delete, under the `purge` rule, of a live record or one in the trash. */
export function purgeOf(
  table: Table<never>,
  sent: Omit<Sent, "values"> & { readonly ifMatch: Precondition },
): Delete {
  if (table.trash === undefined) return deleteOf(table, sent);
  const purged = purging(table);
  return { ...deleteOf(purged, sent), table, trashed: trashFor(purged, sent.caller) };
}

export function restoreOf(table: Table<never>, { caller, id }: Omit<Sent, "values">): Restore {
  const trashed = trashFor(table, caller);
  return { kind: "restore", ...targetOf(table, "delete", caller), id, trashed };
}

function trashFor(table: Table<never>, caller: Caller | null) {
  return caller === null ? wholeTrash(table) : trashByRule(table, "delete", caller.role);
}

function targetOf(table: Table<never>, action: Action, caller: Caller | null): Target {
  const account = caller === visitor ? null : (caller?.accountId ?? null);
  return { table, view: writableBy(caller, table, action), account };
}
