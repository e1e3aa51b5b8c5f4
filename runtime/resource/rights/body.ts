import type { BodyIssue } from "../../errors/index.js";
import { type Caller, visitor } from "../../own-code/index.js";
import { type CheckedBody, checkChanges, checkSent, checkWhole } from "../table/body.js";
import { isWritten } from "../table/column-keys.js";
import type { Shape } from "../table/definition.js";
import { roundedDecimals } from "../table/rounded.js";
import { type Column, columnOf, type Table } from "../table/table.js";
import { onceFor } from "./once-for.js";
import { closedKeys, isForOwnedOnly, isWrittenAlike } from "./rules.js";

type Body = Readonly<Record<string, unknown>>;

/**
 * `upsert`: the change of an existing record by an upsert. Like a create and unlike an update, it cannot add to
 * numbers.
 */
export type BodyKind = "create" | "update" | "upsert" | "replace";

interface Sent<Values> {
  readonly shape: Shape<Values>;
  readonly body: Body;
  readonly caller: Caller | null;
}

/**
 * Validates the body of a write against the resource's shape and the caller's rights. Fields that the caller may not
 * write are refused, and keep their values on PUT. A new record belongs to the caller unless it names another owner.
 * Without a caller, the app itself writes, which may write everything. Mistakes in the id come first.
 */
export function checkBody<Values extends object>(
  table: Table<never>,
  kind: BodyKind,
  { ofId = [], ...sent }: Sent<Values> & { readonly ofId?: readonly BodyIssue[] },
): CheckedBody<object> {
  const { body } = sent;
  const unwritten = unwrittenKeys(table).filter((key) => Object.hasOwn(body, key));
  const malformed = [...ofId, ...unwritten.map((key) => isNotWritten(table, key))];
  const written = without(body, unwritten);
  const checked = checkWritten(table, kind, { ...sent, body: written });
  return { ...checked, malformed: [...malformed, ...checked.malformed] };
}

/** Validates a body without fields that no caller may write. */
function checkWritten<Values extends object>(
  table: Table<never>,
  kind: BodyKind,
  { shape, body, caller }: Sent<Values>,
): CheckedBody<object> {
  const isWhole = kind === "create" || kind === "replace";
  const checkValues = isWhole ? checkWhole<Values> : checkSent<Values>;
  const check = (own: Shape<Values>, sent: Body) =>
    kind === "update" ? checkChanges(table, own, sent) : checkValues(own, sent);
  if (caller === null || (caller !== visitor && isWrittenAlike(table))) return check(shape, body);
  const closed = closedKeys(table, "write", caller.role);
  const refused = closed.filter((key) => Object.hasOwn(body, key));
  const kept = kind === "replace" ? [...closed, ...keptOwner(table, body, caller)] : refused;
  const sent = kind === "create" ? ownedBy(caller, table, body) : body;
  const checked = check(without(shape, kept) as Shape<Values>, without(sent, refused));
  // A hook's result may also set fields that the caller may not write.
  const again = (values: Body) => {
    const missing = kept.filter((key) => !Object.hasOwn(values, key));
    const own = without(shape, kind === "replace" ? missing : []) as Shape<Values>;
    return checkValues(own, roundedDecimals(shape, values));
  };
  return { ...checked, again, malformed: [...refused.map(notAllowed), ...checked.malformed] };
}

/** Returns the object without these properties. */
export function without<T extends object>(from: T, keys: readonly string[]): Partial<T> {
  if (keys.length === 0) return from;
  const left = Object.entries(from).filter(([key]) => !keys.includes(key));
  return Object.fromEntries(left) as Partial<T>;
}

/** Returns the body of a new record. The caller, if there is one, owns it unless it names another owner. */
export function ownedBy(caller: Caller | null, { owner }: Table<never>, body: Body): Body {
  const { leadsTo, team } = owner ?? {};
  const isNobody = caller === null || caller === visitor;
  if (isNobody || owner === undefined || leadsTo !== undefined || team !== undefined) return body;
  return Object.hasOwn(body, owner.field) ? body : { ...body, [owner.field]: caller.accountId };
}

/** Keeps the link to the owner, which the owner may omit in a PUT. */
function keptOwner(
  { owner, access }: Table<never>,
  body: Body,
  { role }: Caller,
): readonly string[] {
  if (owner === undefined || Object.hasOwn(body, owner.field)) return [];
  return isForOwnedOnly(access.update, role) ? [owner.field] : [];
}

const unwrittenKeys = onceFor(({ columns }: Table<never>): readonly string[] =>
  Object.entries<Column>(columns).flatMap(([key, column]) => (isWritten(column) ? [] : [key])),
);

function isNotWritten(table: Table<never>, path: string): BodyIssue {
  const isReadOnly = columnOf(table, path)?.readOnly === true;
  return { path, message: isReadOnly ? "Read-only" : "Computed" };
}

function notAllowed(path: string): BodyIssue {
  return { path, message: "Not allowed" };
}
