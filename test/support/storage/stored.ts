import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Database } from "../../../runtime/db/index.js";
import type { FileDetails } from "../../../runtime/uploads/index.js";
import { type Pruned, pruneUploads } from "../../../runtime/uploads/prune/prune.js";
import { openFileStores } from "../../../runtime/uploads/storage/open.js";
import type { Spool } from "../../../runtime/uploads/storage/spool.js";
import type { Storage } from "../../../runtime/uploads/storage/storage.js";
import type { Client, Reply } from "../http/client.js";
import { upload } from "./files.js";

/** A picture of one pixel. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

export const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");

/** An app's files, without the API. */
export interface Stored {
  readonly db: Database;
  /** The folder. */
  readonly storage: string;
}

/** Uploads a document; fails the test if the answer is not 201. */
export async function uploaded(
  caller: Client,
  field = "products/manual",
  name = "manual.pdf",
): Promise<FileDetails> {
  const { status, text, body } = await upload(
    caller,
    field,
    name,
    name.endsWith(".png") ? pixel : pdf,
  );
  expect(status, text).toBe(201);
  return body;
}

/** Uploads a picture of the caller's account. */
export function putAvatar(
  caller: Client,
  bytes: Buffer = pixel,
  name = "me.png",
): Promise<Reply<FileDetails>> {
  return caller.send("PUT", `/auth/avatar?name=${name}`, {
    text: bytes,
    headers: { "content-type": undefined },
  });
}

/** A clock that is ahead of the real one. */
export function clockAhead(hours: number) {
  return { now: () => new Date(Date.now() + hours * 3_600_000) };
}

export function storageIn(folder: string): Storage {
  return placesIn(folder).storage;
}

export function spoolIn(folder: string): Spool {
  return placesIn(folder).spool;
}

function placesIn(path: string) {
  return openFileStores({ storage: { driver: "disk", path }, maxBytes: 10_000_000 });
}

/** Prunes as a server would in this number of hours. */
export function pruneIn(
  hours: number,
  { db, storage }: Stored,
  through: Storage = storageIn(storage),
): Promise<Pruned> {
  const clock = clockAhead(hours);
  return pruneUploads({ db, clock, storage: through });
}

/** Those keys that are on the disk. */
export function onDisk({ storage }: Pick<Stored, "storage">, keys: readonly string[]): string[] {
  return keys.filter((key) => existsSync(join(storage, key)));
}

/** The keys of all objects that an upload has in the storage, its own first. */
export function keysOf({ key, renditions }: FileDetails): string[] {
  return [key, ...Object.values(renditions).map(({ url }) => url.split("/files/")[1] ?? "")];
}

/** Those keys whose uploads are in the database. */
export async function known(db: Database, keys: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ key: string }>(
    "select key from service.uploads where key = any($1) order by key",
    [keys],
  );
  return rows.map(({ key }) => key);
}
