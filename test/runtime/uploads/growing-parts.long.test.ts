import type { S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Growing, Kept } from "../../../runtime/uploads/storage/growing/growing.js";
import { openS3 } from "../../../runtime/uploads/storage/s3.js";
import type { Bucket } from "../../../runtime/uploads/storage/s3-client.js";
import { type Storage, StorageError } from "../../../runtime/uploads/storage/storage.js";
import { hasSwift, newBucket, type S3Server, startS3Server } from "../../support/storage/s3.js";
import { openS3Proxy, type S3Proxy } from "../../support/storage/s3-proxy.js";
import { headers, newKey, read, someBytes } from "./bytes.js";
import { objectsIn } from "./places.js";

const part = 1024;
const failing = 300;
/** A slow machine stores each part in about a second. */
const patience = 900_000;

describe.skipIf(!hasSwift)("a file of hundreds of parts", () => {
  let server: S3Server;
  let proxy: S3Proxy;
  let bucket: Bucket;
  let client: S3Client;
  let storage: Storage;

  beforeAll(async () => {
    server = await startS3Server(1);
    ({ bucket, client } = await newBucket(server, "parts"));
    // The library itself retries twice.
    const isFailing = (times: number) => times >= failing && times < failing + 3;
    proxy = await openS3Proxy(server.endpoint, (request, times) =>
      request === "PUT partNumber" && isFailing(times) ? 500 : null,
    );
    const endpoint = proxy.endpoint;
    storage = openS3({ ...bucket, endpoint }, { maxBytes: 10_000_000, resumablePart: part });
  });
  afterAll(async () => {
    await storage.close();
    client.destroy();
    await proxy.close();
    await server.close();
  });

  const bytes = someBytes(310 * part + 17);

  /** Adds what is missing until it fails; what is kept by then, and the error. */
  async function addRest(file: Growing): Promise<{ kept: Kept; error: unknown }> {
    const { signal } = new AbortController();
    const growing = await storage.growing.open(file, { headers: () => headers, signal });
    let { kept } = file;
    try {
      while (kept.size < bytes.length) {
        await growing.add(bytes.subarray(kept.size, kept.size + growing.room()));
        kept = await growing.keep();
        await growing.tidy();
      }
      return { kept, error: null };
    } catch (error) {
      return { kept, error };
    } finally {
      await growing.close();
    }
  }

  test("continues from its last part after its three hundredth has failed", {
    timeout: patience,
  }, async () => {
    const place = newKey("parts.bin");
    const file = { place, length: bytes.length };
    const first = await addRest({ ...file, kept: { size: 0, parts: null } });
    expect(first.error).toBeInstanceOf(StorageError);
    expect(first.kept.size).toBe((failing - 1) * part);
    expect(first.kept.parts?.tags).toHaveLength(failing - 1);
    const second = await addRest({ ...file, kept: first.kept });
    expect([second.error, second.kept.size]).toEqual([null, bytes.length]);
    expect(second.kept.parts?.tags).toHaveLength(311);
    expect(await storage.growing.finish({ ...file, kept: second.kept }, headers)).toBe(true);
    expect((await read(storage, place))?.equals(bytes)).toBe(true);
    expect(await objectsIn(client, "parts")).toEqual([place]);
  });
});
