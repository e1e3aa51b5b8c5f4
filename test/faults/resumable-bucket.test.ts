import { randomBytes } from "node:crypto";
import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../runtime/clock/index.js";
import { openDatabase } from "../../runtime/db/index.js";
import { pruneUploads } from "../../runtime/uploads/prune/prune.js";
import { openS3 } from "../../runtime/uploads/storage/s3.js";
import type { Bucket } from "../../runtime/uploads/storage/s3-client.js";
import { expectRefusal } from "../support/apps/shop.js";
import { begun, offsetOf, openPatch, patch, stateOf, terminate } from "../support/http/tus.js";
import { fields } from "../support/pictures/pictures.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { download } from "../support/storage/files.js";
import {
  hasSwift,
  newBucket,
  type S3Server,
  startS3Server,
  storageSettings,
} from "../support/storage/s3.js";
import { openS3Proxy, type S3Proxy } from "../support/storage/s3-proxy.js";

const part = 8 * 1024 * 1024;

describe.skipIf(!hasSwift)("resumable uploads to a bucket", () => {
  let bucket: S3Server;
  let looking: S3Client;
  let reached: Bucket;
  let proxy: S3Proxy;
  let host: ShopHost;
  let one: ShopServer;
  let other: ShopServer;
  /** Requests to the bucket that fail, or are not answered, by what they are. */
  let failing: string | null = null;
  let silenced: string | null = null;

  beforeAll(async () => {
    bucket = await startS3Server();
    ({ client: looking, bucket: reached } = await newBucket(bucket, "shop"));
    proxy = await openS3Proxy(bucket.endpoint, (request) => {
      if (request === silenced) return "silence";
      return request === failing ? 500 : null;
    });
    host = await openHost(`uploads:
  resumable: { max_bytes: 100000000, pending_bytes: 400000000 }
${storageSettings({ ...bucket, endpoint: proxy.endpoint }, "shop")}`);
    one = await host.serve();
    other = await host.serve();
  });
  afterAll(async () => {
    await host.close();
    await proxy.close();
    await bucket.close();
  });

  const manuals = "products/manual";
  const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(2 * part + 1_000_000)]);

  async function keys(): Promise<readonly string[]> {
    const { Contents = [] } = await looking.send(new ListObjectsV2Command({ Bucket: "shop" }));
    return Contents.map(({ Key = "" }) => Key);
  }

  test("are stored in parts of one length and pieces, from any server", async () => {
    const path = await begun(one.admin, manuals, "big.pdf", bytes.length);
    const cuts = [0, 3, 70_000, 1_000_000, part + 5, part + 9, 2 * part, bytes.length];
    for (const [at, end] of cuts.slice(1).entries()) {
      const start = cuts[at] ?? 0;
      const server = at % 2 === 0 ? one : other;
      const reply = await patch(server.admin, path, start, bytes.subarray(start, end));
      expect(reply.status, reply.text).toBe(end === bytes.length ? 200 : 204);
      expect(await offsetOf(other.admin, path)).toBe(end);
    }
    const { file } = await stateOf(one.admin, path);
    expect((await download(one.url, file?.url ?? "")).bytes.equals(bytes)).toBe(true);
    expect(await keys()).toEqual([file?.key]);
  });

  test("keep the bytes before a cut", async () => {
    const path = await begun(one.admin, manuals, "cut.pdf", bytes.length);
    const sending = openPatch(one.url, one.token, path, 0, bytes.length);
    await sending.send(bytes.subarray(0, part + 1_000_000));
    await expect.poll(async () => (await stateOf(one.admin, path)).offset).toBe(part);
    sending.cut();
    await expect.poll(() => offsetOf(other.admin, path)).toBe(part + 1_000_000);
    expect((await terminate(other.admin, path)).status).toBe(204);
    expect((await keys()).filter((key) => key.includes("cut"))).toEqual([]);
  });

  test("continue after a part or the end has failed", async () => {
    const path = await begun(one.admin, manuals, "fails.pdf", bytes.length);
    expect((await patch(one.admin, path, 0, bytes.subarray(0, part))).status).toBe(204);
    failing = "PUT partNumber";
    const refused = await patch(one.admin, path, part, bytes.subarray(part, 2 * part));
    expectRefusal(refused, 503);
    expect(refused.headers["retry-after"]).toBe("10");
    failing = null;
    expect(await offsetOf(other.admin, path)).toBe(part);
    failing = "POST uploadId";
    expectRefusal(await patch(other.admin, path, part, bytes.subarray(part)), 503);
    expect(await stateOf(one.admin, path)).toMatchObject({ state: "open", offset: bytes.length });
    failing = null;
    const last = await patch(one.admin, path, bytes.length, Buffer.alloc(0));
    expect(last.status, last.text).toBe(200);
    const { url } = last.body as { url: string };
    expect((await download(one.url, url)).bytes.equals(bytes)).toBe(true);
  });

  test("leave nothing in the bucket when a server was killed during a part and they expired", async () => {
    const unfinished = async () => {
      const { Uploads = [] } = await looking.send(
        new ListMultipartUploadsCommand({ Bucket: "shop" }),
      );
      return Uploads.length;
    };
    const killed = await host.serve();
    const path = await begun(one.admin, manuals, "killed.pdf", bytes.length);
    expect((await patch(killed.admin, path, 0, bytes.subarray(0, 100))).status).toBe(204);
    silenced = "PUT partNumber";
    const sending = openPatch(killed.url, killed.token, path, 100, bytes.length - 100);
    await sending.send(bytes.subarray(100, part + 1_000));
    await expect.poll(unfinished).toBe(1);
    killed.process.kill("SIGKILL");
    await killed.process;
    silenced = null;
    expect(await offsetOf(other.admin, path)).toBe(100);
    const db = openDatabase({ url: host.databaseUrl, poolSize: 1, prepare: true });
    const storage = openS3(reached, { maxBytes: 10_000_000 });
    // Its process has reported no life for so long.
    await db.query(
      "update service.resumable_uploads set expires_at = now() - interval '1 s', beat_at = now() - interval '2 min'",
    );
    expect(await pruneUploads({ db, storage, clock: systemClock })).toMatchObject({ failed: 0 });
    await db.close();
    await storage.close();
    expect([await unfinished(), (await keys()).filter((key) => key.includes("killed"))]).toEqual([
      0,
      [],
    ]);
  });

  test("of many small requests have only a few pieces", async () => {
    const small = bytes.subarray(0, 101);
    const path = await begun(one.admin, manuals, "small.pdf", small.length);
    const pieces = async () => (await keys()).filter((key) => /small\.pdf\.\d/.test(key)).length;
    for (let at = 0; at < 100; at += 1) {
      expect((await patch(one.admin, path, at, small.subarray(at, at + 1))).status).toBe(204);
    }
    expect(await pieces()).toBeLessThanOrEqual(33);
    const last = await patch(other.admin, path, 100, small.subarray(100));
    expect(last.status, last.text).toBe(200);
    expect(await pieces()).toBe(0);
  });

  test("of a picture leave only its renditions", async () => {
    const photo = await fields({ width: 640, height: 640 }).png().toBuffer();
    const path = await begun(one.admin, "products/image", "photo.png", photo.length);
    expect((await patch(one.admin, path, 0, photo.subarray(0, 500))).status).toBe(204);
    const { status, text } = await patch(other.admin, path, 500, photo.subarray(500));
    expect(status, text).toBe(200);
    expect(
      (await keys()).filter((key) => key.includes("photo")).every((key) => key.endsWith(".webp")),
    ).toBe(true);
  });
});
