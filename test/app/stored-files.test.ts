import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { openShop, type Shop } from "../support/apps/shop.js";
import { changedTags } from "../support/http/changed-tags.js";
import { download, upload } from "../support/storage/files.js";
import { pdf } from "../support/storage/stored.js";

const size = pdf.length;

let shop: Shop;
let file: FileDetails;
beforeAll(async () => {
  shop = await openShop();
  file = (await upload(shop.admin, "products/manual", 'Käse "fein" 100%\'.pdf', pdf)).body;
});
afterAll(() => shop.app.close());

const get = (headers = {}, method = "GET") => download(shop.app.url, file.url, headers, method);

test("a file is sent with the headers that browsers need to show it safely", async () => {
  const { status, bytes, headers } = await get();
  expect(status).toBe(200);
  expect(bytes.equals(pdf)).toBe(true);
  expect(headers).toMatchObject({
    "content-type": "application/pdf",
    "content-length": String(size),
    "content-disposition":
      "inline; filename=\"K_se _fein_ 100_'.pdf\"; filename*=UTF-8''K%C3%A4se%20%22fein%22%20100%25%27.pdf",
    "cache-control": "public, max-age=31536000, immutable",
    "accept-ranges": "bytes",
    etag: expect.stringMatching(/^"[\w-]+"$/),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

test("it needs no token, and no Accept excludes it", async () => {
  for (const accept of ["image/*", "text/html", "application/json", "*/*"]) {
    expect((await get({ accept })).status).toBe(200);
  }
});

test("HEAD answers as GET, without the body", async () => {
  const [whole, head] = [await get(), await get({ range: "bytes=0-1" }, "HEAD")];
  expect(head.status).toBe(200);
  expect(head.bytes).toHaveLength(0);
  const plain = ({
    "x-request-id": _id,
    "server-timing": _time,
    date: _date,
    ...headers
  }: typeof whole.headers) => headers;
  expect(plain(head.headers)).toEqual(plain(whole.headers));
});

test("text is a download of plain text, whatever its name", async () => {
  const { body } = await upload(shop.admin, "reviews/attachment", "data.json", '{"a": 1}');
  expect(body.mime).toBe("text/plain");
  const { headers } = await download(shop.app.url, body.url);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="data.json"/);
});

test.each([
  ["../../x.txt", "x.txt", "x.txt"],
  ["a\\b.txt", "b.txt", "b.txt"],
  ["evil\u202Eexe.txt", "evilexe.txt", "evilexe.txt"],
  ["日本.txt", "__.txt", "%E6%97%A5%E6%9C%AC.txt"],
  ["🙂.txt", "_.txt", "%F0%9F%99%82.txt"],
  ["..", "..", ".."],
])("the download of %j is called %j, and %j", async (name, plain, encoded) => {
  const { body } = await upload(shop.admin, "reviews/attachment", name, "text");
  const { headers } = await download(shop.app.url, body.url);
  expect(headers["content-disposition"]).toBe(
    `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
  );
});

describe("ranges", () => {
  test.each([
    ["bytes=0-3", 0, 3],
    ["bytes=5-", 5, size - 1],
    ["bytes=-4", size - 4, size - 1],
    ["bytes=10-99999", 10, size - 1],
    ["bytes=-99999", 0, size - 1],
    [" BYTES=1-1 ", 1, 1],
  ])("%s", async (range, start, end) => {
    const part = await get({ range });
    expect(part.status).toBe(206);
    expect(part.headers["content-range"]).toBe(`bytes ${start}-${end}/${size}`);
    expect(part.headers["content-length"]).toBe(String(end - start + 1));
    expect(part.bytes.equals(pdf.subarray(start, end + 1))).toBe(true);
  });

  test.each(["bytes=99999-", "bytes=99999-100000", "bytes=-0"])(
    "%s begins after the end",
    async (range) => {
      const reply = await get({ range });
      expect(reply.status).toBe(416);
      expect(reply.headers["content-range"]).toBe(`bytes */${size}`);
      expect(reply.headers["cache-control"]).toBe("no-store");
      expect(JSON.parse(reply.bytes.toString())).toEqual({ error: expect.any(String) });
    },
  );

  test.each(["bytes=5-2", "bytes=x", "lines=1-2", "", "bytes=0-1,5-6", "bytes=-", "bytes=1"])(
    "%j returns the whole file",
    async (range) => {
      const reply = await get({ range });
      expect(reply.status).toBe(200);
      expect(reply.bytes.equals(pdf)).toBe(true);
    },
  );

  test("a range is only sent of the version that the client has", async () => {
    const { headers } = await get();
    const part = { range: "bytes=0-3" };
    expect((await get({ ...part, "if-range": headers.etag })).status).toBe(206);
    for (const other of ['"other"', `W/${headers.etag}`, "Sat, 01 Jan 2000 00:00:00 GMT"]) {
      expect((await get({ ...part, "if-range": other })).status).toBe(200);
    }
  });
});

describe("If-None-Match", () => {
  test("omits the body if the client has it", async () => {
    const { etag } = (await get()).headers;
    for (const tags of [etag, `"x", ${etag}`, "*", ...changedTags(String(etag))]) {
      const reply = await get({ "if-none-match": tags, range: "bytes=0-1" });
      expect(reply.status).toBe(304);
      expect(reply.bytes).toHaveLength(0);
      expect(reply.headers.etag).toBe(etag);
      expect(reply.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
    expect((await get({ "if-none-match": '"x"' })).status).toBe(200);
  });
});

describe("a text that is not a key is not found", () => {
  test.each([
    "",
    "/",
    "/products",
    "/products/manual/2026/01",
    "/products/manual/2026/01/",
    "/../../../../etc/passwd",
    "/..%2f..%2f..%2f..%2fetc/passwd/a/b/c",
    "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/passwd",
    "/products/manual/2026/01/%00",
    "/products/manual/2026/01/0190a000-0000-7000-8000-000000000000-a%00.pdf",
    "/products/manual/2026/01/0190a000-0000-7000-8000-000000000000-a.pdf",
    "/products/manual/2026/01/%ff",
    "/.partial/a/b/c/d",
  ])("%s", async (path) => {
    const reply = await download(shop.app.url, `/api/_service/files${path}`);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.bytes.toString())).toEqual({ error: expect.any(String) });
  });

  test("a key with something before or after it", async () => {
    for (const path of [`${file.url}/`, `${file.url}.bak`, `${file.url}%20`, `//${file.key}`]) {
      expect((await download(shop.app.url, path)).status).toBe(404);
    }
  });
});

test("a missing file is not found, and its record still works", async () => {
  const { body } = await upload(shop.admin, "products/manual", "gone.pdf", pdf);
  const values = shop.product("Gone", { manual: body.key });
  const { body: product } = await shop.admin.post("/products", values);
  rmSync(join(shop.app.storage, body.key));
  for (const method of ["GET", "HEAD"]) {
    expect((await download(shop.app.url, body.url, {}, method)).status).toBe(404);
  }
  const read = await shop.member.get(`/products/${product.id}`);
  expect(read.body).toMatchObject({ manual: body.key, manualFile: body });
  const renamed = await shop.admin.patch(`/products/${product.id}`, { name: "Renamed" });
  expect(renamed.body).toMatchObject({ manualFile: body });
  const again = await shop.admin.post("/products", shop.product("Too", { manual: body.key }));
  expect(again.status).toBe(201);
  expect((await shop.admin.delete(`/products/${product.id}`)).status).toBe(204);
});

test.each([0, 10, size - 1, size + 1, size + 70_000])(
  "a file that is truncated to %d bytes breaks off its download, and nothing else",
  async (length) => {
    const { body } = await upload(shop.admin, "products/manual", "other.pdf", pdf);
    truncateSync(join(shop.app.storage, body.key), length);
    for (const headers of [{}, { range: `bytes=${size - 5}-` }]) {
      await download(shop.app.url, body.url, headers).then(
        ({ bytes }) => expect(pdf.includes(bytes)).toBe(true),
        (error: unknown) => expect(error).toMatchObject({ code: "ECONNRESET" }),
      );
    }
    expect((await get()).status).toBe(200);
  },
);

test("other methods are refused with the allowed ones", async () => {
  const reply = await shop.anonymous.send("DELETE", file.url.replace("/api", ""));
  expect(reply.status).toBe(405);
  expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
});
