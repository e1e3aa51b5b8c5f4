import { refuse } from "../../errors/index.js";
import { noteAfter } from "../hooks/run.js";
import { type Place, wholeRecord } from "../record/read.js";
import type { StoredRecord } from "../record/tag.js";
import type { Statement } from "../rights/account.js";
import { writerBy } from "../rights/writer.js";
import type { Values } from "../table/conflicts.js";
import { answeredRecord } from "./answered.js";
import { fileKeysOf, refuseUnknownFiles, usingFiles } from "./files/stored.js";
import { matchingRecord } from "./former.js";
import { holdFounders, touchedBy } from "./group/keep-founders.js";
import { judgeWritten } from "./judge.js";
import { storeLists } from "./lists/store.js";
import { writesLists } from "./lists/values.js";
import {
  type Change,
  type Create,
  type Delete,
  type InsertedRow,
  isTrashed,
  type Written,
} from "./operation.js";
import { needsTransaction, type PreparedWrite } from "./prepare.js";
import { refuseTaken } from "./refused/conflict.js";
import { refuseIfDropped } from "./refused/dropped.js";
import { changeStatement, createStatement, deleteStatement } from "./statements.js";
import { skippingTrash, storePurge } from "./trash/purge.js";
import { storeRestore } from "./trash/restore.js";

/** Runs the statement of a prepared write, and schedules the hooks after the commit. */
export function storeWrite(
  place: Place,
  { write, former, fulfilled = null, cascaded = [], mark = "", isPurge }: PreparedWrite,
): Promise<Written> {
  switch (write.kind) {
    case "create":
      return create(place, write);
    case "update":
    case "replace":
      return change(place, write, { former, fulfilled });
    case "delete":
      return isPurge === true ? purge(place, write) : remove(place, write, { former, cascaded });
    case "restore":
      return storeRestore(place, write, mark);
  }
}

async function create(place: Place, write: Create): Promise<Written> {
  const { actor, reader } = place;
  const { table, checked } = write;
  const values: Values = { ...checked.values };
  await refuseUnknownFiles(reader, write, values);
  const statement = createStatement(write, values, writerBy(actor, write));
  const row = await storeRow<InsertedRow>(reader, statement, fileKeysOf(table, values));
  if (row === null) return refuseTaken(reader, write, values);
  const { id, ...record } = row;
  await judgeWritten(reader, write, { id, fulfilled: null });
  const listed = await storeLists(reader, write, { id, values, former: null });
  const stored = listed ?? record;
  if (needsTransaction(actor, write)) {
    const json = await wholeRecord(reader, { view: write.view, id }, stored.json);
    noteAfter(actor, { hook: "afterCreate", table, id }, [json]);
  }
  return { id, record: await answeredRecord(place, write, { ...stored, id }) };
}

async function change(
  place: Place,
  write: Change,
  { former, fulfilled }: Required<Pick<PreparedWrite, "former" | "fulfilled">>,
): Promise<Written> {
  const { actor, reader } = place;
  const { table, id, checked } = write;
  const values: Values = { ...checked.values };
  const statement = changeStatement(write, values, writerBy(actor, write));
  if (statement === null && !writesLists(write)) {
    return { id, record: await matchingRecord(place, write) };
  }
  const files = fileKeysOf(table, values);
  if (files.length > 0) {
    await matchingRecord(place, write);
    await refuseUnknownFiles(reader, write, values);
  }
  const keepFounders = await holdFounders(reader, touchedBy(write), id);
  const row =
    statement === null
      ? await matchingRecord(place, write)
      : await storeRow(reader, statement, files);
  if (row === null) {
    await matchingRecord(place, write);
    return refuseTaken(reader, write, values);
  }
  await keepFounders();
  await judgeWritten(reader, write, { id, fulfilled });
  const listing = { id, values, former: former?.json ?? null };
  const record = (await storeLists(reader, write, listing)) ?? row;
  if (former !== null) {
    const json = await wholeRecord(reader, write, record.json);
    noteAfter(actor, { hook: "afterUpdate", table, id }, [json, former.json]);
  }
  return { id, record };
}

async function remove(
  place: Place,
  write: Delete,
  { former, cascaded }: Required<Pick<PreparedWrite, "former" | "cascaded">>,
): Promise<Written> {
  const { actor, reader } = place;
  const { table, id, ifMatch } = write;
  const { text, parameters } = deleteStatement(write, writerBy(actor, write));
  const keepFounders = await holdFounders(reader, touchedBy(write), id);
  const rows = await skippingTrash(reader, write, () => reader.query(text, parameters));
  if (rows.length === 0) {
    await matchingRecord(place, write);
    await refuseIfDropped(reader, table, "delete");
    // With a precondition: the record no longer matched it when the statement ran.
    return refuse(ifMatch === null ? "NOT_FOUND" : "CHANGED");
  }
  await keepFounders();
  const cascadedFrom = { resource: table.resource, id };
  const how = { hook: "afterDelete", isTrashed: isTrashed(write) } as const;
  for (const one of cascaded) {
    noteAfter(actor, { ...how, table: one.table, id: one.id, cascadedFrom }, [one.json]);
  }
  if (former !== null) noteAfter(actor, { ...how, table, id }, [former.json]);
  return { id, record: null };
}

async function purge({ actor, reader }: Place, write: Delete): Promise<Written> {
  await storePurge(reader, write, writerBy(actor, write));
  return { id: write.id, record: null };
}

/** Runs the statement, and marks the record's files as used; returns null if there is no row. */
async function storeRow<Row extends StoredRecord>(
  reader: Place["reader"],
  statement: Statement,
  files: readonly unknown[],
): Promise<Row | null> {
  const { text, parameters } = usingFiles(statement, files);
  const [row] = await reader.query<Row>(text, parameters);
  return row ?? null;
}
