import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal } from "../support/apps/shop.js";
import {
  begin,
  begun,
  bytesType,
  metadata,
  offsetOf,
  openPatch,
  patch,
  stateOf,
  terminate,
} from "../support/http/tus.js";
import { fields } from "../support/pictures/pictures.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { download, filesBelow } from "../support/storage/files.js";

let host: ShopHost;
let one: ShopServer;
let other: ShopServer;

beforeAll(async () => {
  host = await openHost(`uploads:
  max_bytes: 2000000
  resumable: { max_bytes: 30000000, hours: 2, pending_bytes: 100000000 }
`);
  one = await host.serve();
  other = await host.serve();
});
afterAll(() => host.close());

const manuals = "products/manual";

/** A PDF of so many bytes, as far as is looked at. */
function pdf(size: number): Buffer {
  return Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size - 9)]);
}

describe("an upload", () => {
  test("continues at another server, and becomes a file with its last byte", async () => {
    const bytes = pdf(3_000_000);
    const path = await begun(one.admin, manuals, "Anleitung ü.pdf", bytes.length);
    expect((await patch(one.admin, path, 0, bytes.subarray(0, 1_000_001))).status).toBe(204);
    expect(await offsetOf(other.admin, path)).toBe(1_000_001);
    expect(await stateOf(other.admin, path)).toEqual({
      ...{ state: "open", offset: 1_000_001, length: bytes.length },
    });
    const last = await patch(other.admin, path, 1_000_001, bytes.subarray(1_000_001));
    expect(last.status, last.text).toBe(200);
    expect(last.body).toMatchObject({ name: "Anleitung ü.pdf", mime: "application/pdf" });
    const { url } = last.body as { url: string };
    expect((await download(one.url, url)).bytes.equals(bytes)).toBe(true);
    expect(await stateOf(one.admin, path)).toEqual({
      ...{ state: "done", offset: bytes.length, length: bytes.length, file: last.body },
    });
    // An empty one again, whose answer the first was.
    const again = await patch(one.admin, path, bytes.length, Buffer.alloc(0));
    expect([again.status, again.body]).toEqual([200, last.body]);
    expect((await terminate(one.admin, path)).status).toBe(204);
    expect((await download(one.url, url)).status).toBe(200);
    expectRefusal(await one.admin.send("GET", path), 404);
  });

  test("keeps the bytes received before its connection was cut", async () => {
    const bytes = pdf(2_500_000);
    const path = await begun(one.admin, manuals, "cut.pdf", bytes.length);
    const sending = openPatch(one.url, one.token, path, 0, bytes.length);
    await sending.send(bytes.subarray(0, 1_500_000));
    await expect.poll(async () => (await stateOf(one.admin, path)).offset).toBe(1_048_576);
    sending.cut();
    // What the server had not yet read from the connection is lost with it, less than a mebibyte.
    const at = await offsetOf(other.admin, path);
    expect(at).toBeGreaterThanOrEqual(1_048_576);
    expect(at).toBeLessThanOrEqual(1_500_000);
    const last = await patch(other.admin, path, at, bytes.subarray(at));
    expect(last.status, last.text).toBe(200);
    const { url } = last.body as { url: string };
    expect((await download(one.url, url)).bytes.equals(bytes)).toBe(true);
  });

  test("is ended by HEAD, PATCH and DELETE on another server while a connection hangs", async () => {
    const mebibyte = 1_048_576;
    const bytes = pdf(4 * mebibyte);
    const path = await begun(one.admin, manuals, "hangs.pdf", bytes.length);
    const before = filesBelow(join(host.root, "storage"));
    /** Sends a mebibyte, of which some has been recorded, and hangs. */
    async function hang(server: ShopServer, at: number) {
      const sending = openPatch(server.url, server.token, path, at, bytes.length - at);
      await sending.send(bytes.subarray(at, at + mebibyte + 7));
      await expect.poll(async () => (await stateOf(one.admin, path)).offset).toBeGreaterThan(at);
      return sending;
    }
    const first = await hang(one, 0);
    const at = await offsetOf(other.admin, path);
    expect(at).toBeGreaterThanOrEqual(mebibyte);
    expect(await first.answer).toMatchObject({ status: 409 });
    const second = await hang(one, at);
    const stale = await patch(other.admin, path, 0, bytes.subarray(0, 1));
    expectRefusal(stale, 409);
    expect(await second.answer).toMatchObject({ status: 409 });
    const third = await hang(other, Number(stale.headers["upload-offset"]));
    expect((await terminate(one.admin, path)).status).toBe(204);
    expect(await third.answer).toMatchObject({ status: 409 });
    expect(filesBelow(join(host.root, "storage"))).toEqual(before);
    expect((await one.admin.send("GET", path)).status).toBe(404);
  });

  test("of several requests at once one adds bytes at a time, and the file is not damaged", async () => {
    const bytes = pdf(3_000_000);
    const path = await begun(one.admin, manuals, "at-once.pdf", bytes.length);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        patch(at % 2 === 0 ? one.admin : other.admin, path, 0, bytes),
      ),
    );
    for (const { status } of replies) expect([200, 409]).toContain(status);
    const offset = await offsetOf(one.admin, path);
    const last = await patch(other.admin, path, offset, bytes.subarray(offset));
    expect(last.status, last.text).toBe(200);
    const { url } = last.body as { url: string };
    expect((await download(one.url, url)).bytes.equals(bytes)).toBe(true);
  });

  test("needs the right to write at each request", async () => {
    const db = new pg.Client({ connectionString: host.databaseUrl });
    await db.connect();
    try {
      const bytes = pdf(1_000);
      const path = await begun(one.admin, manuals, "rights.pdf", bytes.length);
      await db.query("update service.users set role = 'reader'");
      const headers = { "tus-resumable": "1.0.0" };
      for (const method of ["GET", "HEAD", "DELETE"]) {
        const { status } = await other.admin.send(method, path, { headers });
        expect([method, status]).toEqual([method, 403]);
      }
      expectRefusal(await patch(other.admin, path, 0, bytes), 403);
      expectRefusal(await begin(other.admin, manuals, "rights.pdf", 1_000), 403);
      await db.query("update service.users set role = 'admin'");
      expect((await patch(other.admin, path, 0, bytes)).status).toBe(200);
    } finally {
      await db.query("update service.users set role = 'admin'");
      await db.end();
    }
  });

  test("prefers name and type of its metadata to filename and filetype", async () => {
    const names = { filename: "b.png", name: "a.pdf", filetype: "image/png" };
    const headers = { "upload-metadata": metadata({ ...names, type: "application/pdf" }) };
    const { status, text, headers: given } = await begin(one.admin, manuals, "", 1_000, headers);
    expect(status, text).toBe(201);
    const path = String(given.location).replace("/api", "");
    const { body } = await patch(one.admin, path, 0, pdf(1_000));
    expect(body).toMatchObject({ name: "a.pdf" });
    const wrong = metadata({ ...names, type: "image/png" });
    expectRefusal(await begin(one.admin, manuals, "", 10, { "upload-metadata": wrong }), 422);
  });

  test("takes a POST that names another method", async () => {
    const bytes = pdf(20_000);
    const path = await begun(one.admin, manuals, "posted.pdf", bytes.length);
    const as = (method: string, headers: object = {}, text?: Buffer) =>
      one.admin.send("POST", path, {
        headers: {
          ...{ "tus-resumable": "1.0.0", "x-http-method-override": method },
          "content-length": `${text?.length ?? 0}`,
          ...headers,
        },
        ...(text !== undefined && { text }),
      });
    const patched = await as(
      "PATCH",
      { "content-type": bytesType, "upload-offset": "0" },
      bytes.subarray(0, 10_000),
    );
    expect([patched.status, patched.headers["upload-offset"]]).toEqual([204, "10000"]);
    const head = await as("head");
    expect([head.status, head.headers["upload-offset"], head.text]).toEqual([200, "10000", ""]);
    expect((await as("PUT")).status).toBe(405);
    expect((await as("POST")).status).toBe(405);
    // Not of a read: what judges requests by their method would take it for one.
    const version = { "tus-resumable": "1.0.0", "x-http-method-override": "DELETE" };
    expect((await one.admin.send("GET", path, { headers: version })).status).toBe(200);
    expect((await as("DELETE")).status).toBe(204);
    expect((await one.admin.send("GET", path)).status).toBe(404);
    const other = { "x-http-method-override": "DELETE" };
    const { status } = await one.admin.send("POST", "/products", { text: "{}", headers: other });
    expect(status).toBe(422);
  });

  test("of a picture becomes the image of its profile", async () => {
    const photo = await fields({ width: 640, height: 640 }).png().toBuffer();
    const path = await begun(one.admin, "products/image", "a.png", photo.length);
    expect((await patch(one.admin, path, 0, photo.subarray(0, 100))).status).toBe(204);
    const { status, body } = await patch(other.admin, path, 100, photo.subarray(100));
    expect(status).toBe(200);
    expect(body).toMatchObject({ mime: "image/webp", optimised: true });
    expectRefusal(await begin(one.admin, "products/image", "a.png", 2_000_001), 413);
  });

  test("may arrive whole with its creation", async () => {
    const bytes = pdf(70_000);
    const { status, headers, body } = await one.admin.send<{ url: string }>(
      "POST",
      `/_service/uploads/${manuals}/resumable`,
      {
        text: bytes,
        headers: {
          "tus-resumable": "1.0.0",
          "content-type": "application/offset+octet-stream",
          "upload-length": `${bytes.length}`,
          "upload-metadata": metadata({ filename: "a.pdf", filetype: "application/pdf" }),
        },
      },
    );
    expect(status).toBe(201);
    expect(headers).toMatchObject({
      "tus-resumable": "1.0.0",
      "upload-offset": `${bytes.length}`,
      location: expect.stringMatching(
        /^\/api\/_service\/uploads\/products\/manual\/resumable\/[\w-]+$/,
      ),
    });
    expect((await download(one.url, body.url)).bytes.equals(bytes)).toBe(true);
  });
});

describe("bytes that do not match their declaration", () => {
  /** Sends all but the last of so many bytes, which are taken, then that one, with which they are refused for good. */
  async function isRefusedAt(count: number, field: string, name: string, bytes: Buffer) {
    const path = await begun(one.admin, field, name, 1_000_000);
    const first = await patch(one.admin, path, 0, bytes.subarray(0, count - 1));
    expect(first.status, first.text).toBe(204);
    const reply = await patch(other.admin, path, count - 1, bytes.subarray(count - 1, count));
    expectRefusal(reply, 422);
    expect(await stateOf(one.admin, path)).toEqual({
      ...{ state: "refused", offset: 0, length: 1_000_000 },
      ...{ status: 422, error: (reply.body as { error: string }).error },
    });
    expect(await offsetOf(other.admin, path)).toBe(0);
    const again = await patch(other.admin, path, 0, Buffer.from("%PDF-1.7\n"));
    expect([again.status, again.body]).toEqual([422, reply.body]);
  }

  const signature = Buffer.from("GIF89a");
  const noise = randomBytes(70_000);

  test.each<[string, number, string, string, Buffer]>([
    ["a kind", 4_100, manuals, "a.pdf", Buffer.concat([signature, noise])],
    ["a page", 4_100, "reviews/attachment", "a.txt", Buffer.from(`<html>${" ".repeat(9_000)}`)],
    ["an archive", 65_536, manuals, "a.pdf", Buffer.concat([Buffer.from("PK\u0003\u0004"), noise])],
    ["the unknown", 65_536, "reviews/attachment", "a", Buffer.concat([Buffer.alloc(9), noise])],
    ["a text", 9_000, "reviews/attachment", "a.txt", Buffer.from(`${"x".repeat(8_999)}\u0007`)],
  ])("end it as soon as they are recognised: %s", async (_, count, field, name, bytes) => {
    await isRefusedAt(count, field, name, bytes);
  });

  test("leave nothing in the storage", async () => {
    const before = filesBelow(join(host.root, "storage"));
    await isRefusedAt(4_100, manuals, "b.pdf", Buffer.concat([signature, noise]));
    expect(filesBelow(join(host.root, "storage"))).toEqual(before);
  });

  test("end it at the very end too, and a body longer than declared is 413", async () => {
    const text = Buffer.concat([Buffer.alloc(9_999, "x"), Buffer.from([0xc3])]);
    const path = await begun(one.admin, "reviews/attachment", "a.txt", text.length);
    expect((await patch(one.admin, path, 0, text.subarray(0, 5_000))).status).toBe(204);
    expectRefusal(await patch(other.admin, path, 5_000, text.subarray(5_000)), 422);
    expect(await stateOf(one.admin, path)).toMatchObject({ state: "refused", status: 422 });

    const short = await begun(one.admin, "reviews/attachment", "a.txt", 1_000);
    expectRefusal(await patch(one.admin, short, 0, Buffer.alloc(1_001, "x")), 413);
    expect(await stateOf(one.admin, short)).toMatchObject({ state: "open", offset: 0 });
    const chunked = { "content-length": undefined, "transfer-encoding": "chunked" };
    expectRefusal(await patch(one.admin, short, 0, Buffer.alloc(1_001, "x"), chunked), 413);
    expect(await stateOf(one.admin, short)).toMatchObject({ state: "refused", status: 413 });
    expectRefusal(await patch(one.admin, short, 0, Buffer.alloc(10, "x")), 413);
  });

  test("a text may be cut within a character", async () => {
    const text = Buffer.from("äöü€🙂".repeat(2_000));
    const path = await begun(one.admin, "reviews/attachment", "a.txt", text.length);
    let at = 0;
    for (const size of [1, 4_100, 2, 1, 3, 1, 1, text.length]) {
      const piece = text.subarray(at, at + size);
      const { status } = await patch(at % 2 === 0 ? one.admin : other.admin, path, at, piece);
      at += piece.length;
      expect(status).toBe(at === text.length ? 200 : 204);
    }
  });
});

describe("a request is refused", () => {
  test("with a wrong offset, with the right one", async () => {
    const bytes = pdf(1_000);
    const path = await begun(one.admin, manuals, "a.pdf", bytes.length);
    expect((await patch(one.admin, path, 0, bytes.subarray(0, 10))).status).toBe(204);
    for (const offset of [0, 9, 11, 1_000]) {
      const reply = await patch(other.admin, path, offset, bytes.subarray(10));
      expectRefusal(reply, 409);
      expect(reply.headers).toMatchObject({ "upload-offset": "10", "tus-resumable": "1.0.0" });
    }
    for (const offset of ["", "-1", "x", "1.5"]) {
      const headers = { "upload-offset": offset };
      expectRefusal(await patch(one.admin, path, 10, bytes, headers), 400);
    }
    expectRefusal(await patch(one.admin, path, 10, bytes, { "content-type": "text/plain" }), 415);
    expect((await patch(one.admin, path, 10, bytes.subarray(10))).status).toBe(200);
  });

  test.each([
    ["of another version", 412, { "tus-resumable": "0.2.2" }],
    ["without a version", 412, { "tus-resumable": undefined }],
    ["without a length", 400, { "upload-length": undefined }],
    ["with an invalid length", 400, { "upload-length": "ten" }],
    ["that defers its length", 400, { "upload-length": undefined, "upload-defer-length": "1" }],
    ["that is a part of others", 400, { "upload-concat": "partial" }],
    ["with broken metadata", 400, { "upload-metadata": "name a.pdf!" }],
    ["with metadata twice", 400, { "upload-metadata": "name YQ==,name YQ==" }],
    ["of an empty file", 422, { "upload-length": "0" }],
    ["of a file that is too large", 413, { "upload-length": "30000001" }],
    ["of a kind that is not accepted", 422, { "upload-metadata": metadata({ name: "a.png" }) }],
    [
      "of a type that is not accepted",
      422,
      { "upload-metadata": metadata({ name: "a", type: "image/png" }) },
    ],
    ["of a page", 422, { "upload-metadata": metadata({ name: "a.html" }) }],
  ])("%s", async (_, status, headers) => {
    const reply = await begin(one.admin, manuals, "a.pdf", 1_000, headers);
    expectRefusal(reply, status);
    expect(reply.headers["tus-resumable"]).toBe("1.0.0");
    if (status === 412) expect(reply.headers["tus-version"]).toBe("1.0.0");
  });

  test("without a valid name, with an issue", async () => {
    for (const [text] of [[""], ["filetype YQ=="], ["name"], ["name /w=="]]) {
      const reply = await begin(one.admin, manuals, "", 10, { "upload-metadata": text });
      expectRefusal(reply, 422, ["issues"]);
      expect(reply.body).toMatchObject({ issues: [{ path: "name" }] });
    }
  });

  test("of another account, or without a token", async () => {
    const path = await begun(one.admin, manuals, "a.pdf", 100);
    for (const [method, headers] of [
      ["GET", {}],
      ["HEAD", { "tus-resumable": "1.0.0" }],
      ["DELETE", { "tus-resumable": "1.0.0" }],
    ] as const) {
      const nowhere = path.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
      expect((await one.admin.send(method, nowhere, { headers })).status).toBe(404);
      expect((await one.admin.send(method, `${path}x`, { headers })).status).toBe(404);
      const elsewhere = path.replace("products/manual", "reviews/attachment");
      expect((await one.admin.send(method, elsewhere, { headers })).status).toBe(404);
      expect((await one.anonymous.send(method, path, { headers })).status).toBe(401);
    }
  });

  test("beyond the open uploads of an account", async () => {
    const open: string[] = [];
    for (;;) {
      const reply = await begin(one.admin, manuals, "a.pdf", 30_000_000);
      if (reply.status === 201) open.push(String(reply.headers.location).replace("/api", ""));
      else {
        expectRefusal(reply, 429);
        break;
      }
    }
    expect(open.length).toBeLessThanOrEqual(3);
    for (const path of open) await terminate(one.admin, path);
    expect((await begin(one.admin, manuals, "a.pdf", 30_000_000)).status).toBe(201);
  });
});

test("OPTIONS lists the supported extensions of the protocol", async () => {
  const path = `/_service/uploads/${manuals}/resumable`;
  const { status, headers } = await one.anonymous.send("OPTIONS", path);
  expect(status).toBe(204);
  expect(headers).toMatchObject({
    "tus-resumable": "1.0.0",
    "tus-version": "1.0.0",
    "tus-extension": "creation,creation-with-upload,expiration,termination",
    "tus-max-size": "30000000",
  });
});
