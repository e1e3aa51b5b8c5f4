import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reply } from "../support/http/client.js";
import { faultChance } from "../support/load/chance.js";
import { faultRounds, faultTimeout as timeout } from "../support/load/under-load.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { download, filesBelow, upload } from "../support/storage/files.js";
import {
  hasSwift,
  newBucket,
  type S3Server,
  startS3Server,
  storageSettings,
} from "../support/storage/s3.js";
import { canMount, mountSmallDisk, type SmallDisk } from "../support/storage/small-disk.js";
import { pdf } from "../support/storage/stored.js";

const mayRun = hasSwift && canMount();
if (!mayRun) process.stderr.write("no bucket or no small disk: a full spool is not tested\n");

describe.skipIf(!mayRun)("the spool of pictures on a full disk, beside a bucket", () => {
  let bucket: S3Server;
  let objects: S3Client;
  let host: ShopHost;
  let spool: SmallDisk;
  let folder: string;
  let server: ShopServer;
  let picture: Buffer;
  beforeAll(async () => {
    bucket = await startS3Server();
    ({ client: objects } = await newBucket(bucket, "shop"));
    host = await openHost(`uploads:
${storageSettings(bucket, "shop")}`);
    folder = join(host.root, "temporary");
    mkdirSync(folder);
    spool = mountSmallDisk(folder, 2);
    // What cannot be compressed: it takes more than a megabyte of the spool.
    const raw = { width: 640, height: 640, channels: 3 } as const;
    picture = await sharp(randomBytes(640 * 640 * 3), { raw })
      .png()
      .toBuffer();
    server = await host.serve({ TMPDIR: folder });
  });
  afterAll(async () => {
    // The folder is removed with the host.
    spool.close();
    await host.close();
    await bucket.close();
  });

  const acknowledged: string[] = [];

  /** Sends a picture; what it answers is 201, or that it may be sent again soon. */
  async function sendPicture(): Promise<number> {
    const reply = await upload(server.admin, "reviews/photo", "photo.png", picture);
    if (reply.status === 201) note(reply);
    else expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "10"]);
    return reply.status;
  }

  function note({ body }: Reply<{ key: string; renditions: Record<string, { url: string }> }>) {
    const urls = Object.values(body.renditions).map(({ url }) => url.split("/files/")[1] ?? "");
    acknowledged.push(body.key, ...urls);
  }

  const sendPictures = (count: number) =>
    Promise.all(Array.from({ length: count }, () => sendPicture()));

  const spooled = () => filesBelow(folder).filter((path) => path !== ".filler");

  test("a picture gets 503 and leaves nothing; the rest works, and pictures are accepted again once there is room", {
    timeout,
  }, async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      expect(await sendPicture()).toBe(201);
      spool.fill();
      expect(await sendPictures(4)).toEqual([503, 503, 503, 503]);
      expect(spooled()).toEqual([]);
      // What is stored as it is goes to the bucket at once.
      const manual = await upload(server.admin, "products/manual", "manual.pdf", pdf);
      expect(manual.status, manual.text).toBe(201);
      note(manual);
      const values = { name: `P ${round}`, price: 1, categoryId: server.category.id };
      const product = await server.admin.post("/products", { ...values, manual: manual.body.key });
      expect(product.status, product.text).toBe(201);
      const ready = await server.anonymous.get("/_service/ready");
      expect(ready.body).toMatchObject({ status: "ok", checks: { storage: "ok" } });
      spool.free();
      expect(await sendPicture()).toBe(201);
    }
    await expectAgreement();
  });

  test("if there are more concurrent pictures than room, the refused ones leave nothing, and the next one is stored", {
    timeout,
  }, async () => {
    expect(picture.length).toBeGreaterThan(1_000_000);
    for (let round = 0; round < faultRounds; round += 1) {
      // Each may have the room that another one lacks, so that perhaps none is stored.
      expect(await sendPictures(8)).toContain(503);
      expect(spooled()).toEqual([]);
      expect(await sendPicture()).toBe(201);
    }
    await expectAgreement();
  });

  test("a spool that fills up during uploads affects none before and after", {
    timeout,
  }, async () => {
    const chance = faultChance("spool-full");
    let isOver = false;
    const failed: number[] = [];
    const sending = [0, 1].map(async () => {
      while (!isOver) {
        if ((await sendPicture()) === 503) {
          failed.push(503);
          await sleep(50);
        }
      }
    });
    for (let round = 0; round < faultRounds; round += 1) {
      await sleep(200 + chance.below(400));
      spool.fill();
      await sleep(200 + chance.below(400));
      spool.free();
    }
    isOver = true;
    await Promise.all(sending);
    expect(failed).not.toEqual([]);
    expect(spooled()).toEqual([]);
    await expectAgreement();
  });

  /** The bucket and the database have what was acknowledged, and nothing else; it can be read. */
  async function expectAgreement(): Promise<void> {
    const wanted = acknowledged.toSorted();
    const listed = await objects.send(new ListObjectsV2Command({ Bucket: "shop" }));
    expect(listed.IsTruncated ?? false).toBe(false);
    expect((listed.Contents ?? []).map(({ Key = "" }) => Key).toSorted()).toEqual(wanted);
    const db = new pg.Client({ connectionString: host.databaseUrl });
    await db.connect();
    const { rows } = await db.query<{ key: string; size: number }>(
      "select key, size::int from service.stored_objects where upload_key is not null order by key",
    );
    const { rowCount } = await db.query(
      "select from service.stored_objects where upload_key is null",
    );
    await db.end();
    expect(rows.map(({ key }) => key).toSorted()).toEqual(wanted);
    expect(rowCount).toBe(0);
    for (const { key, size } of rows.slice(-10)) {
      const { status, bytes } = await download(server.url, `/api/_service/files/${key}`);
      expect([status, bytes.length]).toEqual([200, size]);
    }
  }
});
