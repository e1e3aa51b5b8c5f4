import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, expectRefusal } from "../support/apps/shop.js";
import { fields } from "../support/pictures/pictures.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { download, upload } from "../support/storage/files.js";
import {
  hasSwift,
  newBucket,
  type S3Server,
  startS3Server,
  storageSettings,
} from "../support/storage/s3.js";

describe.skipIf(!hasSwift)("files in a bucket", () => {
  let bucket: S3Server;
  let host: ShopHost;
  let server: ShopServer;

  beforeAll(async () => {
    bucket = await startS3Server();
    await newBucket(bucket, "shop");
    host = await openHost(`uploads:
  max_bytes: 20000000
${storageSettings(bucket, "shop")}    public_url: "\${PUBLIC_URL:-}"
`);
    server = await host.serve();
  });
  afterAll(async () => {
    await host.close();
    await bucket.close();
  });

  /** A PDF of several parts. */
  const big = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(12_000_000, "x")]);

  test("are stored and served through the API, whole and in ranges", async () => {
    const { status, body } = await upload(server.admin, "products/manual", "big.pdf", big);
    expect(status).toBe(201);
    expect(body).toMatchObject({ size: big.length, url: `/api/_service/files/${body.key}` });
    expect((await download(server.url, body.url)).bytes.equals(big)).toBe(true);
    const part = await download(server.url, body.url, { range: "bytes=6000000-6000099" });
    expect(part.status).toBe(206);
    expect(part.bytes.equals(big.subarray(6_000_000, 6_000_100))).toBe(true);
    expect((await download(server.url, body.url, {}, "HEAD")).status).toBe(200);
  });

  test("have renditions, and a refused upload leaves nothing", async () => {
    const photo = await fields({ width: 640, height: 640 }).png().toBuffer();
    const { body } = await upload(server.admin, "products/image", "a.png", photo);
    for (const { url, size } of [body, ...Object.values(body.renditions)]) {
      const { headers, bytes } = await download(server.url, url);
      expect(headers["content-type"]).toBe("image/webp");
      expect(bytes).toHaveLength(size);
    }
    const late = Buffer.concat([Buffer.alloc(8_000_000, "x"), Buffer.from([7])]);
    expectRefusal(await upload(server.admin, "reviews/attachment", "late.txt", late), 422);
  });

  test("have addresses in the bucket if browsers may read it", async () => {
    const open = await host.serve({ PUBLIC_URL: "https://files.example.com/" });
    const { body } = await upload(open.admin, "products/manual", "small.pdf", "%PDF-1.7\n%%EOF");
    expect(body.url).toBe(`https://files.example.com/${body.key}`);
    const own = await download(open.url, `/api/_service/files/${body.key}`);
    expect(own.status).toBe(200);
    open.process.kill();
    await open.process;
  });

  test("a missing bucket is 503, and records work without it", async () => {
    const { body } = await upload(server.admin, "products/manual", "a.pdf", "%PDF-1.7\n%%EOF");
    const values = { name: "P", price: 1, categoryId: server.category.id, manual: body.key };
    const product = await created(server.admin, "products", values);
    await bucket.close();
    const reply = await upload(server.admin, "products/manual", "b.pdf", big);
    expectRefusal(reply, 503);
    expect(reply.headers["retry-after"]).toBe("10");
    expect((await download(server.url, body.url)).status).toBe(503);
    const renamed = await server.admin.patch(`/products/${product.id}`, { name: "Q" });
    expect(renamed.body).toMatchObject({ name: "Q", manualFile: body });
    expect((await server.admin.delete(`/products/${product.id}`)).status).toBe(204);
  });
});
