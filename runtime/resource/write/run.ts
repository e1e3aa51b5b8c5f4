import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import {
  checkWritePolicy,
  hasOwnCode,
  noteAfter,
  runBefore,
  valuesAfter,
} from "../hooks/before.js";
import { type CascadedRecord, cascadesToHooks, prepareCascade } from "../hooks/cascade.js";
import { hasPolicy } from "../own-code/policy.js";
import { type Reader, storedRecord } from "../record/read.js";
import { type StoredRecord, tagOf } from "../record/tag.js";
import { readerOfCaller } from "../rights/account.js";
import { linkedByHook } from "../rights/writable.js";
import { type CheckedBody, isValid, refuseBody } from "../table/body.js";
import { findConflicts, type Values } from "../table/conflicts.js";
import type { Table } from "../table/table.js";
import { fileKeysOf, refuseUnknownFiles, usingFiles } from "./files.js";
import type { Change, Create, Delete, InsertedRow, Write, Written } from "./operation.js";
import { refuseTaken } from "./refuse-conflict.js";
import { changeStatement, createStatement, deleteStatement, type Statement } from "./statements.js";

/**
 * Runs a write in two steps: `prepareWrite` and `storeWrite`. `reader` is the database, or the actor's
 * transaction, which is required where `needsTransaction` is true. Errors of the database are rethrown for
 * `explainRefusal`: after one, only a transaction with a savepoint can still be queried.
 */
export async function runWrite(actor: Actor, reader: Reader, write: Write): Promise<Written> {
  return storeWrite(actor, reader, await prepareWrite(actor, reader, write));
}

/** A write that only the database can still refuse. */
export interface PreparedWrite {
  /** The operation with the values that will be stored. */
  readonly write: Write;
  /** The locked record before the write; null for a new one, and where nothing needs it. */
  readonly former: StoredRecord | null;
  /** The records that a delete cascades to and whose hooks run after it. */
  readonly cascaded?: readonly CascadedRecord[];
}

/** Checks the values (422) and the policy on the locked record (403), and runs the hook before the write. */
export function prepareWrite(actor: Actor, unbound: Reader, write: Write): Promise<PreparedWrite> {
  const reader = readerOfCaller(actor, unbound);
  switch (write.kind) {
    case "create":
      return prepareCreate(actor, reader, write);
    case "update":
    case "replace":
      return prepareChange(actor, reader, write);
    case "delete":
      return prepareDelete(actor, reader, write);
  }
}

/** Runs the statement of a prepared write, and schedules the hooks after the commit. */
export function storeWrite(
  actor: Actor,
  unbound: Reader,
  { write, former, cascaded = [] }: PreparedWrite,
): Promise<Written> {
  const reader = readerOfCaller(actor, unbound);
  switch (write.kind) {
    case "create":
      return create(actor, reader, write);
    case "update":
    case "replace":
      return change(actor, reader, write, former);
    case "delete":
      return remove(actor, reader, write, { former, cascaded });
  }
}

/** Whether own code of the app runs between the first statement and the commit. */
export function needsTransaction(actor: Actor, { table, kind }: Write): boolean {
  return (
    hasOwnCode(actor, table, actionOf(kind)) || (kind === "delete" && cascadesToHooks(actor, table))
  );
}

function actionOf(kind: Write["kind"]): "create" | "update" | "delete" {
  return kind === "replace" ? "update" : kind;
}

async function prepareCreate(actor: Actor, reader: Reader, write: Create): Promise<PreparedWrite> {
  const { table, id, checked } = write;
  const sent = await validValues(actor, reader, write);
  await checkWritePolicy(actor, table, { action: "create", id }, sent);
  const call = { hook: "beforeCreate", id } as const;
  const values = await valuesAfter(actor, table, call, checked.again, sent);
  const linked = linkedByHook(table, sent, values);
  return { write: { ...write, table: linked, checked: { ...checked, values } }, former: null };
}

async function prepareChange(actor: Actor, reader: Reader, write: Change): Promise<PreparedWrite> {
  const { table, id, checked } = write;
  const sent = await validValues(actor, reader, write);
  if (!needsTransaction(actor, write)) return { write, former: null };
  const former = await lockedRecord(reader, write);
  const record = () => JSON.parse(former.json);
  await checkWritePolicy(actor, table, { action: "update", id }, record(), sent);
  // The locked record fulfils the precondition; the hook itself may change it.
  const locked = { ...write, ifMatch: null };
  if (Object.keys(sent).length === 0) return { write: locked, former };
  const call = { hook: "beforeUpdate", id } as const;
  const values = await valuesAfter(actor, table, call, checked.again, sent, record());
  const linked = linkedByHook(table, sent, values);
  return { write: { ...locked, table: linked, checked: { ...checked, values } }, former };
}

async function prepareDelete(actor: Actor, reader: Reader, write: Delete): Promise<PreparedWrite> {
  if (!needsTransaction(actor, write)) return { write, former: null };
  const { table, id } = write;
  const former = await lockedRecord(reader, write);
  const record = () => JSON.parse(former.json);
  await checkWritePolicy(actor, table, { action: "delete", id }, record());
  await runBefore(actor, table, { hook: "beforeDelete", id }, record());
  const cascaded = await prepareCascade(actor, reader, write);
  return { write: { ...write, ifMatch: null }, former, cascaded };
}

async function create(actor: Actor, reader: Reader, write: Create): Promise<Written> {
  const { table, checked } = write;
  const values: Values = { ...checked.values };
  await refuseUnknownFiles(reader, table, values, null);
  const row = await store<InsertedRow>(reader, table, createStatement(write, values), values);
  if (row === null) return refuseTaken(reader, table, values, null);
  const { id, ...record } = row;
  if (needsTransaction(actor, write)) {
    const whole = await wholeRecord(reader, { table, id }, record);
    noteAfter(actor, table, id, "create", [whole.json]);
  }
  return { id, record };
}

async function change(
  actor: Actor,
  reader: Reader,
  write: Change,
  former: StoredRecord | null,
): Promise<Written> {
  const { table, id, checked } = write;
  const values: Values = { ...checked.values };
  const statement = changeStatement(write, values);
  if (statement === null) return { id, record: await matchingRecord(reader, write) };
  if (fileKeysOf(table, values).length > 0) {
    await matchingRecord(reader, write);
    await refuseUnknownFiles(reader, table, values, id);
  }
  const record = await store(reader, table, statement, values);
  if (record === null) {
    await matchingRecord(reader, write);
    return refuseTaken(reader, table, values, id);
  }
  if (former !== null) {
    const { json } = await wholeRecord(reader, write, record);
    noteAfter(actor, table, id, "update", [json, former.json]);
  }
  return { id, record };
}

async function remove(
  actor: Actor,
  reader: Reader,
  write: Delete,
  { former, cascaded }: Required<Pick<PreparedWrite, "former" | "cascaded">>,
): Promise<Written> {
  const { table, id, ifMatch } = write;
  const { text, parameters } = deleteStatement(write);
  const rows = await reader.query(text, parameters);
  if (rows.length === 0) {
    await matchingRecord(reader, write);
    // The record did not fulfil the precondition when the statement ran.
    return refuse(ifMatch === null ? "NOT_FOUND" : "CHANGED");
  }
  for (const one of cascaded) noteAfter(actor, one.table, one.id, "delete", [one.json]);
  if (former !== null) noteAfter(actor, table, id, "delete", [former.json]);
  return { id, record: null };
}

/** Runs the statement; null where it returns no row. */
async function store<Row extends StoredRecord>(
  reader: Reader,
  table: Table<never>,
  statement: Statement,
  values: Values,
): Promise<Row | null> {
  const { text, parameters } = usingFiles(statement, fileKeysOf(table, values));
  const [row] = await reader.query<Row>(text, parameters);
  return row ?? null;
}

/**
 * The body's values, frozen, when they are valid in themselves; otherwise refuses with 404 or 412, then 422.
 * Conflicts with other records are listed with the 422, unless a policy has not yet decided about the write: a
 * caller whom it refuses learns nothing about other records.
 */
async function validValues(actor: Actor, reader: Reader, write: Create | Change): Promise<Values> {
  const { kind, table, checked } = write;
  if (isValid(checked)) return Object.freeze(checked.values) as Values;
  if (write.kind !== "create") await matchingRecord(reader, write);
  if (hasPolicy(actor, table, actionOf(kind))) return refuseBody(checked, []);
  return refuseBody(
    checked,
    await findConflicts(reader, table, comparable(checked), kind === "create" ? null : write.id),
  );
}

/** A malformed value counts as empty: it cannot equal a stored one. */
function comparable({ values, malformed }: CheckedBody<object>): Values {
  return { ...Object.fromEntries(malformed.map(({ path }) => [path, null])), ...values };
}

/** Locks the record, so that nobody changes it between the decision of own code and the write. */
async function lockedRecord(reader: Reader, write: Change | Delete): Promise<StoredRecord> {
  await lock(reader, write);
  return wholeRecord(reader, write, await matchingRecord(reader, write));
}

/** The record with the fields that the caller does not see: own code always gets whole records. */
async function wholeRecord(
  reader: Reader,
  { table, id }: Pick<Write, "table" | "id">,
  seen: StoredRecord,
): Promise<StoredRecord> {
  if (table.whole === undefined) return seen;
  const text = `select ${table.whole} as json, xmin::text as version from ${table.name} where id = $1`;
  const [row] = await reader.query<StoredRecord>(text, [id]);
  return row ?? refuse("NOT_FOUND");
}

/** The stored record; 404 when there is none, 412 when it does not fulfil the precondition. */
async function matchingRecord(
  reader: Reader,
  { table, id, ifMatch }: Change | Delete,
): Promise<StoredRecord> {
  const record = await storedRecord(reader, table, id);
  if (ifMatch !== null && !ifMatch.includes(tagOf(record))) refuse("CHANGED");
  return record;
}

/** The record is read afterwards: a statement that waited for the lock does not see every earlier change. */
async function lock({ query }: Queryable, { table, id, kind }: Change | Delete): Promise<void> {
  // Writers that only link to the record need not wait for its update.
  const strength = kind === "delete" ? "update" : "no key update";
  const rows = await query(`select id from ${table.name} where id = $1 for ${strength}`, [id]);
  if (rows.length === 0) refuse("NOT_FOUND");
}
