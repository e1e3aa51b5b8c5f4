import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lockClasses, type Queryable } from "../../db/index.js";
import type { Position } from "../read/source.js";
import { WrongName } from "./plan.js";

/** The progress of a file's import. */
export interface Mark {
  readonly at: Position;
  readonly refused: number;
  /** The size of the file of refused rows. */
  readonly errorsSize: number;
  readonly isDone: boolean;
  /** Whether the file has changed since the mark was written. */
  readonly isOther: boolean;
}

/** A file and the resource into which it is imported. */
export interface MarkedFile {
  readonly resource: string;
  readonly path: string;
  readonly digest: Buffer;
}

/** The retention of marks after their last change. */
const kept = "30 days";

/** SHA-256 of a file. */
export async function digestOf(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
  }
  return hash.digest();
}

/**
 * The mark of a file; null if there is none. Waits for a transaction of a killed import that
 * PostgreSQL may still commit.
 */
export async function readMark(connection: Queryable, file: MarkedFile): Promise<Mark | null> {
  const { query } = connection;
  await query(`delete from service.imports where changed_at < now() - interval '${kept}'`);
  await lockFile(connection, file);
  const { resource, path, digest } = file;
  const [row] = await query<{
    digest: Buffer;
    rows: string;
    lines: string;
    bytes: string;
    refused: string;
    errorsSize: string;
    isDone: boolean;
  }>(
    `select digest, rows, lines, bytes, refused, errors_bytes as "errorsSize", is_done as "isDone"
    from service.imports where resource = $1 and path = $2`,
    [resource, path],
  );
  if (row === undefined) return null;
  return {
    isOther: !row.digest.equals(digest),
    at: { row: Number(row.rows), line: Number(row.lines), offset: Number(row.bytes) },
    refused: Number(row.refused),
    errorsSize: Number(row.errorsSize),
    isDone: row.isDone,
  };
}

/** Prevents other transactions from advancing the mark of that file. */
async function lockFile(
  { query }: Queryable,
  { resource, path }: Pick<MarkedFile, "resource" | "path">,
): Promise<void> {
  await query("select pg_advisory_xact_lock($1, hashtext($2 || ' ' || $3))", [
    lockClasses.importedFile,
    resource,
    path,
  ]);
}

/** A mark, and the number of rows before those that it adds. */
export interface NextMark extends Omit<Mark, "isOther"> {
  readonly from: number;
}

/**
 * Advances the mark of a file, in the transaction that stores the rows before it.
 *
 * @throws {WrongName} if the mark is not where these rows begin: another import has continued, and
 * may have stored them.
 */
export async function writeMark(
  connection: Queryable,
  file: MarkedFile,
  { from, at, refused, errorsSize, isDone }: NextMark,
): Promise<void> {
  await lockFile(connection, file);
  const { resource, path, digest } = file;
  const written = await connection.query(
    `insert into service.imports as former
      (resource, path, digest, rows, lines, bytes, refused, errors_bytes, is_done, changed_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
    on conflict (resource, path) do update set
      digest = $3, rows = $4, lines = $5, bytes = $6, refused = $7, errors_bytes = $8, is_done = $9,
      changed_at = now()
    where former.digest = $3 and former.rows = $10
    returning rows`,
    [resource, path, digest, at.row, at.line, at.offset, refused, errorsSize, isDone, from],
  );
  if (written.length > 0) return;
  throw new WrongName(
    "Another process has continued the import of this file in the meantime",
    "--resume continues after its last row",
  );
}

/** Deletes the mark of a file, which is then imported from its first row. */
export async function dropMark(
  { query }: Queryable,
  { resource, path }: Pick<MarkedFile, "resource" | "path">,
): Promise<void> {
  await query("delete from service.imports where resource = $1 and path = $2", [resource, path]);
}
