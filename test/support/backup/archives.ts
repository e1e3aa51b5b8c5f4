import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header } from "tar";
import { openArchive } from "../../../runtime/backup/archive/open.js";
import { endOfTar, headOf, paddingOf } from "../../../runtime/backup/archive/write-tar.js";

/** An entry of an archive. */
export interface Piece {
  readonly name: string;
  readonly bytes: Buffer;
  /** Preceding bytes, if it is not a plain file. */
  readonly head?: Buffer;
}

export async function piecesOf(path: string): Promise<Piece[]> {
  const archive = await openArchive(path, async () => "");
  const pieces: Piece[] = [];
  for await (const { name, bytes } of archive.entries(() => {})) {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    pieces.push({ name, bytes: Buffer.concat(chunks) });
  }
  await archive.close();
  return pieces;
}

export function writePieces(path: string, pieces: readonly Piece[]): void {
  const parts = pieces.flatMap(({ name, bytes, head }) => [
    head ?? headOf(name, bytes.length, new Date()),
    bytes,
    paddingOf(bytes.length),
  ]);
  writeFileSync(path, gzipSync(Buffer.concat([...parts, endOfTar])));
}

/** Header of a link in a tar. */
export function linkHead(name: string, target: string): Buffer {
  const head = Buffer.alloc(512);
  new Header({ path: name, linkpath: target, type: "SymbolicLink", size: 0 }).encode(head);
  return head;
}

/** The same with recomputed sums, as if it had been written so. */
export function withSums(pieces: readonly Piece[], rows: Readonly<Record<string, number>> = {}) {
  const others = pieces.filter(({ name }) => name !== "sums.json");
  const former = JSON.parse(String(pieces.find(({ name }) => name === "sums.json")?.bytes));
  const sums = Object.fromEntries(
    others.map(({ name, bytes }) => [name, createHash("sha256").update(bytes).digest("hex")]),
  );
  const text = JSON.stringify({ sums, rows: { ...former.rows, ...rows } });
  return [...others, { name: "sums.json", bytes: Buffer.from(text) }];
}

/** The entries with the named one replaced. */
export function changed(
  pieces: readonly Piece[],
  name: string,
  change: (text: string) => string,
): Piece[] {
  return pieces.map((piece) =>
    piece.name === name
      ? { name, bytes: Buffer.from(change(piece.bytes.toString("utf8"))) }
      : piece,
  );
}

/** The archive's tar, unchanged. */
export function tarOf(path: string): Buffer {
  return gunzipSync(readFileSync(path));
}
