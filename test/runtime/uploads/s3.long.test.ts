import { GetObjectCommand, HeadObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openS3, type S3Options } from "../../../runtime/uploads/storage/s3.js";
import {
  type Bucket,
  type Patience,
  usualPatience,
} from "../../../runtime/uploads/storage/s3-client.js";
import { type Storage, StorageError } from "../../../runtime/uploads/storage/storage.js";
import { hasSwift, newBucket, type S3Server, startS3Server } from "../../support/storage/s3.js";
import { type Interference, openS3Proxy, type S3Proxy } from "../../support/storage/s3-proxy.js";
import { failingAfter, headers, MiB, newKey, pieces, read, someBytes } from "./bytes.js";
import { objectsIn } from "./places.js";

/** For servers that are silent; others need their time on a busy machine. */
const hasty: Patience = { connect: 1_000, answer: 1_500, silence: 1_500 };

describe.skipIf(!hasSwift)("a bucket", () => {
  let server: S3Server;
  let client: S3Client;
  let bucket: Bucket;
  let buckets = 0;
  const open: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startS3Server();
  });
  beforeEach(async () => {
    buckets += 1;
    ({ bucket, client } = await newBucket(server, `files-${buckets}`));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const each of open.splice(0)) await each.close();
    client.destroy();
  });
  afterAll(() => server.close());

  function contents(): Promise<readonly string[]> {
    return objectsIn(client, bucket.bucket);
  }

  function storageOf(changed: Partial<Bucket>, options: Partial<S3Options> = {}): Storage {
    const storage = openS3({ ...bucket, ...changed }, { maxBytes: 10_000_000, ...options });
    open.push(storage);
    return storage;
  }

  async function behind(
    interfere: Interference,
    patience = usualPatience,
  ): Promise<{ storage: Storage; proxy: S3Proxy }> {
    const proxy = await openS3Proxy(server.endpoint, interfere);
    open.push(proxy);
    return { storage: storageOf({ endpoint: proxy.endpoint }, { patience }), proxy };
  }

  async function failureOf(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StorageError);
    return error instanceof StorageError ? error.message : "";
  }

  test.each([1000, 11 * MiB])("answers the headers of %d bytes itself", async (length) => {
    const key = newKey("a.pdf");
    await storageOf({}).write(key, pieces(someBytes(length)), {
      contentType: "application/pdf",
      contentDisposition: "inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf",
      cacheControl: "public, max-age=31536000, immutable",
    });
    const object = await client.send(new HeadObjectCommand({ Bucket: bucket.bucket, Key: key }));
    expect(object.ContentLength).toBe(length);
    expect(object.ContentType).toBe("application/pdf");
    expect(object.ContentDisposition).toBe("inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf");
    expect(object.CacheControl).toBe("public, max-age=31536000, immutable");
  });

  test.each([
    [10_000_000, 3],
    [10_000 * 6 * MiB, 2],
  ])("of at most %d bytes, 12 MiB go in %d parts", async (maxBytes, parts) => {
    const key = newKey();
    await storageOf({}, { maxBytes }).write(key, pieces(someBytes(12 * MiB)), headers);
    const { ETag } = await client.send(new GetObjectCommand({ Bucket: bucket.bucket, Key: key }));
    expect(ETag).toMatch(new RegExp(`-${parts}"$`));
  });

  test("reports missing rights, and nothing about the key", async () => {
    const wrong = { secretAccessKey: "not-the-secret" };
    const unknown = { accessKeyId: "shop:nobody", secretAccessKey: "any" };
    const place = `bucket ${bucket.bucket} at ${server.endpoint}`;
    for (const [changed, reason] of [
      [wrong, "the access key or its secret is wrong (SignatureDoesNotMatch)"],
      [unknown, "the access key or its secret is wrong (SignatureDoesNotMatch)"],
      [{ bucket: "others" }, "there is no such bucket (NoSuchBucket)"],
    ] as const) {
      const storage = storageOf(changed);
      const found = "bucket" in changed ? place.replace(bucket.bucket, "others") : place;
      const message = `${found}: ${reason}`;
      expect(await failureOf(storage.write(newKey(), [Buffer.from("a")], headers))).toBe(message);
      expect(await failureOf(storage.write(newKey(), pieces(someBytes(6 * MiB)), headers))).toBe(
        message,
      );
      expect(await failureOf(storage.read(newKey()))).toBe(message);
      expect(await failureOf(storage.remove(newKey()))).toBe(message);
      expect(await failureOf(storage.check())).toBe(message);
    }
  });

  test("without an access key the machine's own identity is used", async () => {
    const none = { accessKeyId: null, secretAccessKey: null };
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    vi.stubEnv("AWS_CONFIG_FILE", "/dev/null");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
    expect(await failureOf(storageOf(none).check())).toMatch(/: no access key is set, and /);
    vi.stubEnv("AWS_ACCESS_KEY_ID", server.accessKeyId);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", server.secretAccessKey);
    await storageOf(none).check();
  });

  test("a server that is down is reported with the message of the system", async () => {
    const { storage, proxy } = await behind(() => null);
    await proxy.close();
    open.splice(open.indexOf(proxy), 1);
    const message = `bucket ${bucket.bucket} at ${proxy.endpoint}: it cannot be reached (ECONNREFUSED)`;
    expect(await failureOf(storage.write(newKey(), [], headers))).toBe(message);
    expect(await failureOf(storage.read(newKey()))).toBe(message);
    expect(await failureOf(storage.remove(newKey()))).toBe(message);
    expect(await failureOf(storage.check())).toBe(message);
  });

  test("a server that never answers is abandoned", async () => {
    const { storage } = await behind(() => "silence", hasty);
    expect(await failureOf(storage.read(newKey()))).toMatch(/: there was no response in time$/);
    expect(await failureOf(storage.write(newKey(), [], headers))).toMatch(
      /: there was no response in time$/,
    );
  });

  test("a server that stops answering within a file is abandoned, and the upload ends", async () => {
    const { storage } = await behind(
      (name) => (name === "PUT partNumber" ? "silence" : null),
      hasty,
    );
    const write = storage.write(newKey(), pieces(someBytes(12 * MiB)), headers);
    expect(await failureOf(write)).toMatch(/: there was no response in time$/);
    expect(await contents()).toEqual([]);
  });

  test.each([
    ["PUT", 1000],
    ["PUT partNumber", 6 * MiB],
    ["POST uploads", 6 * MiB],
    ["POST uploadId", 6 * MiB],
    ["GET", 1000],
    ["DELETE", 1000],
  ])("a %s that is answered with 500 once and 503 once is retried", async (request, length) => {
    const answers = [500, 503];
    const { storage, proxy } = await behind((name, times) =>
      name === request ? (answers[times - 1] ?? null) : null,
    );
    const key = newKey();
    const bytes = someBytes(length);
    await storage.write(key, pieces(bytes), headers);
    expect((await read(storage, key))?.equals(bytes)).toBe(true);
    await storage.remove(key);
    expect(proxy.seen.filter((name) => name === request).length).toBeGreaterThan(2);
    expect(await contents()).toEqual([]);
  });

  test.each([403, 501])(
    "a key that may not list uploads in parts (%d) still removes files",
    async (status) => {
      const { storage } = await behind((name) => (name === "GET prefix" ? status : null));
      const key = newKey();
      await storage.write(key, pieces(someBytes(1000)), headers);
      expect(await storage.remove(key)).toMatch(/s3:ListBucketMultipartUploads/);
      expect(await contents()).toEqual([]);
    },
  );

  test("a server that always fails is abandoned", async () => {
    const { storage } = await behind(() => 503);
    expect(await failureOf(storage.write(newKey(), [], headers))).toMatch(/ \(HTTP 503\)$/);
  });

  test("a source's own error is passed on even if its upload cannot be ended", async () => {
    const { storage } = await behind((name) => (name === "DELETE uploadId" ? 503 : null));
    const broken = new Error("the client is gone");
    const key = newKey();
    await expect(storage.write(key, failingAfter(12 * MiB, broken), headers)).rejects.toBe(broken);
    expect(await contents()).toEqual(["unfinished"]);
    await storageOf({}).remove(key);
    expect(await contents()).toEqual([]);
  });

  test("a part that is refused ends the source, too", async () => {
    const { storage } = await behind((name) => (name === "PUT partNumber" ? 403 : null));
    let isEnded = false;
    async function* source() {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        isEnded = true;
      }
    }
    expect(await failureOf(storage.write(newKey(), source(), headers))).toMatch(/HTTP 403/);
    expect(isEnded).toBe(true);
    expect(await contents()).toEqual([]);
  });
});
