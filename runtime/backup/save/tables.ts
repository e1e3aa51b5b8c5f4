import type { Buffer } from "node:buffer";
import { beginHistories } from "../../changes/index.js";
import type { Session } from "../../db/index.js";
import { tablePrefix } from "../archive/manifest.js";
import { BackupProblem } from "../archive/problem.js";
import type { TarWriter } from "../archive/write.js";
import { rowsIn } from "../tables/copied-rows.js";
import {
  type ArchivedTable,
  type FoundTables,
  findTables,
  type JoinTables,
} from "../tables/find.js";

/** A table and the size of its `copy` output in the session's snapshot. */
export interface MeasuredTable {
  readonly table: ArchivedTable;
  readonly bytes: number;
  readonly rows: number;
}

/**
 * Begins a transaction with a consistent snapshot of all tables, during which none of them can be altered.
 *
 * @throws {BackupProblem} if they are being altered.
 */
export async function beginSnapshot(
  session: Session,
  { histories, joins }: { readonly histories: readonly string[]; readonly joins: JoinTables },
): Promise<FoundTables> {
  const before = await findTables(session, joins);
  await beginHistories(session, histories);
  await session.query("begin isolation level repeatable read");
  // Otherwise a role subject to a row policy would get only some of the rows.
  await session.query("set local row_security to off");
  // The first statement after these settings takes the snapshot.
  const names = before.archived.map(({ sql }) => sql).join(", ");
  await session.query(`lock table ${names} in access share mode`);
  const tables = await findTables(session, joins);
  if (JSON.stringify(tables) === JSON.stringify(before)) return tables;
  throw new BackupProblem("The tables are being altered", "run it again when migrate has finished");
}

/** Copies a table and discards the result to measure its size, with which an entry of a tar begins. */
export async function measureTable(session: Session, table: ArchivedTable): Promise<MeasuredTable> {
  let bytes = 0;
  let rows = 0;
  for await (const chunk of copied(session, table)) {
    bytes += chunk.length;
    rows += rowsIn(chunk);
  }
  return { table, bytes, rows };
}

/** Returns the entry of a table; `onChunk` receives the bytes and the number of rows of each chunk. */
export function tableEntry(
  { tar, session }: { readonly tar: TarWriter; readonly session: Session },
  { table, bytes: size }: MeasuredTable,
  onChunk: (bytes: number, rows: number) => void,
): AsyncGenerator<Buffer> {
  const counted = async function* () {
    for await (const chunk of copied(session, table)) {
      onChunk(chunk.length, rowsIn(chunk));
      yield chunk;
    }
  };
  return tar.entry({ name: tablePrefix + table.name, size, bytes: counted() });
}

function copied(session: Session, { select }: ArchivedTable): AsyncIterable<Buffer> {
  return session.copyOut(select);
}
