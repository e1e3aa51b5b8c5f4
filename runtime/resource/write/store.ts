import { refuse } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { noteAfter } from "../hooks/run.js";
import { type Reader, wholeRecord } from "../record/read.js";
import type { StoredRecord } from "../record/tag.js";
import type { Statement } from "../rights/account.js";
import { writerBy } from "../rights/writer.js";
import type { Values } from "../table/conflicts.js";
import type { Table } from "../table/table.js";
import { answeredRecord } from "./answered.js";
import { fileKeysOf, refuseUnknownFiles, usingFiles } from "./files/stored.js";
import { matchingRecord } from "./former.js";
import { holdFounders, touchedBy } from "./group/keep-founders.js";
import { judgeWritten } from "./judge.js";
import {
  type Change,
  type Create,
  type Delete,
  type InsertedRow,
  storedIdOf,
  type Written,
} from "./operation.js";
import { needsTransaction, type PreparedWrite } from "./prepare.js";
import { refuseTaken } from "./refused/conflict.js";
import { refuseIfDropped } from "./refused/dropped.js";
import { changeStatement, createStatement, deleteStatement } from "./statements.js";

/** Runs the statement of a prepared write, and schedules the hooks after the commit. */
export function storeWrite(
  actor: Actor,
  reader: Reader,
  { write, former, fulfilled = null, cascaded = [] }: PreparedWrite,
): Promise<Written> {
  switch (write.kind) {
    case "create":
      return create(actor, reader, write);
    case "update":
    case "replace":
      return change(actor, reader, write, { former, fulfilled });
    case "delete":
      return remove(actor, reader, write, { former, cascaded });
  }
}

async function create(actor: Actor, reader: Reader, write: Create): Promise<Written> {
  const { table, checked } = write;
  const values: Values = { ...checked.values };
  await refuseUnknownFiles(reader, write, values, storedIdOf(write));
  const statement = createStatement(write, values, writerBy(actor, write));
  const row = await store<InsertedRow>(reader, table, statement, values);
  if (row === null) return refuseTaken(reader, write, values, storedIdOf(write));
  const { id, ...record } = row;
  await judgeWritten(reader, write, { id, fulfilled: null });
  if (needsTransaction(actor, write)) {
    const json = await wholeRecord(reader, { view: write.view, id }, record.json);
    noteAfter(actor, table, { id }, "create", [json]);
  }
  return { id, record: await answeredRecord(actor, reader, write, row) };
}

async function change(
  actor: Actor,
  reader: Reader,
  write: Change,
  { former, fulfilled }: Required<Pick<PreparedWrite, "former" | "fulfilled">>,
): Promise<Written> {
  const { table, id, checked } = write;
  const values: Values = { ...checked.values };
  const statement = changeStatement(write, values, writerBy(actor, write));
  if (statement === null) return { id, record: await matchingRecord(actor, reader, write) };
  if (fileKeysOf(table, values).length > 0) {
    await matchingRecord(actor, reader, write);
    await refuseUnknownFiles(reader, write, values, id);
  }
  const keepFounders = await holdFounders(reader, touchedBy(write), id);
  const record = await store(reader, table, statement, values);
  if (record === null) {
    await matchingRecord(actor, reader, write);
    return refuseTaken(reader, write, values, id);
  }
  await keepFounders();
  await judgeWritten(reader, write, { id, fulfilled });
  if (former !== null) {
    const json = await wholeRecord(reader, write, record.json);
    noteAfter(actor, table, { id }, "update", [json, former.json]);
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
  const { text, parameters } = deleteStatement(write, writerBy(actor, write));
  const keepFounders = await holdFounders(reader, touchedBy(write), id);
  const rows = await reader.query(text, parameters);
  if (rows.length === 0) {
    await matchingRecord(actor, reader, write);
    await refuseIfDropped(reader, table, "delete");
    // The record did not fulfil the precondition when the statement ran.
    return refuse(ifMatch === null ? "NOT_FOUND" : "CHANGED");
  }
  await keepFounders();
  const cascadedFrom = { resource: table.resource, id };
  for (const one of cascaded) {
    noteAfter(actor, one.table, { id: one.id, cascadedFrom }, "delete", [one.json]);
  }
  if (former !== null) noteAfter(actor, table, { id }, "delete", [former.json]);
  return { id, record: null };
}

/** Runs the statement; null if it returns no row. */
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
