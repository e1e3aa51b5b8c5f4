import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Queryable } from "../../db/index.js";
import type { Position } from "../read/source.js";

/** How far a file was imported. */
export interface Mark {
  readonly at: Position;
  readonly refused: number;
  /** Bytes of the file of refused rows. */
  readonly errorsSize: number;
  readonly isDone: boolean;
  /** Whether the file has changed since. */
  readonly isOther: boolean;
}

/** The file whose rows are imported into a resource. */
export interface MarkedFile {
  readonly resource: string;
  readonly path: string;
  readonly digest: Buffer;
}

/** How long marks are kept after their last change. */
const kept = "30 days";

/** SHA-256 of a file. */
export async function digestOf(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
  }
  return hash.digest();
}

/** The mark of a file; null where there is none. */
export async function readMark(
  { query }: Queryable,
  { resource, path, digest }: MarkedFile,
): Promise<Mark | null> {
  await query(`delete from service.imports where changed_at < now() - interval '${kept}'`);
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

export async function writeMark(
  { query }: Queryable,
  { resource, path, digest }: MarkedFile,
  { at, refused, errorsSize, isDone }: Omit<Mark, "isOther">,
): Promise<void> {
  await query(
    `insert into service.imports
      (resource, path, digest, rows, lines, bytes, refused, errors_bytes, is_done, changed_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
    on conflict (resource, path) do update set
      digest = $3, rows = $4, lines = $5, bytes = $6, refused = $7, errors_bytes = $8, is_done = $9,
      changed_at = now()`,
    [resource, path, digest, at.row, at.line, at.offset, refused, errorsSize, isDone],
  );
}

/** Deletes the mark of a file, which is then imported from its first row. */
export async function dropMark(
  { query }: Queryable,
  { resource, path }: Pick<MarkedFile, "resource" | "path">,
): Promise<void> {
  await query("delete from service.imports where resource = $1 and path = $2", [resource, path]);
}
