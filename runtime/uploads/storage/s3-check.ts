import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { ObjectHeaders } from "./headers.js";
import { type Storage, StorageError } from "./storage.js";

const headers: ObjectHeaders = {
  contentType: "text/plain",
  contentDisposition: "attachment",
  cacheControl: "no-store",
};

/** Milliseconds that a URL has to respond to an anonymous request. */
const patience = 10_000;

/** The first base URL at which private objects can be read without credentials; null if there is none. */
export async function exposingAddress(
  storage: Storage,
  addressesOf: (place: string) => Promise<readonly string[]>,
): Promise<string | null> {
  const place = `${storage.privatePrefix}${probeKey()}`;
  await storage.write(place, [Buffer.from(place)], headers);
  try {
    for (const address of await addressesOf(place)) {
      if (await givesToStrangers(address)) return address.slice(0, -place.length);
    }
    return null;
  } finally {
    await storage.remove(place);
  }
}

/** Whether the URL serves objects anonymously. A URL that does not respond does not. */
async function givesToStrangers(address: string): Promise<boolean> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(patience) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** A key that no file has, because no resource has this name. */
function probeKey(): string {
  return `-/check/2000/01/${randomUUID()}-check`;
}

/** Writes a small object, reads it and removes it. Throws if that fails; leaves nothing in the storage. */
export async function tryObject(storage: Storage): Promise<void> {
  const key = probeKey();
  const bytes = Buffer.from(key);
  await storage.write(key, [bytes], headers);
  try {
    const found = await storage.read(key);
    const isSame = found !== null && bytes.equals(await buffer(found));
    if (!isSame) throw new StorageError("a written object cannot be read");
  } finally {
    await storage.remove(key);
  }
  // If the access key may not list the bucket, the server does not reveal that an object is missing.
  const found = await storage.read(key);
  found?.destroy();
}
