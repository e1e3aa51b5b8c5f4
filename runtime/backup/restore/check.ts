import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { damaged, type TarEntry } from "../archive/read-tar.js";

/** The size and sum of an entry that was read to its end. */
export interface EntrySum {
  sum: string;
}

/** Yields the bytes of an entry; `found` holds their sum once all are read. */
export async function* summed(
  { bytes }: TarEntry,
  found: Partial<EntrySum>,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  found.sum = hash.digest("hex");
}

/** Yields the bytes of an entry; throws after the last one if the sum differs. */
export async function* checked(entry: TarEntry, sum: string | undefined): AsyncGenerator<Buffer> {
  const found: Partial<EntrySum> = {};
  yield* summed(entry, found);
  if (found.sum !== sum) throw otherBytes(entry.name);
}

export async function textOf(
  entry: TarEntry,
  maxBytes: number,
  found: Partial<EntrySum>,
): Promise<string> {
  if (entry.size > maxBytes) throw damaged(`${entry.name} is too long`);
  const chunks: Buffer[] = [];
  for await (const chunk of summed(entry, found)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export function otherBytes(name: string): Error {
  return damaged(`the checksum of ${name} does not match`);
}
