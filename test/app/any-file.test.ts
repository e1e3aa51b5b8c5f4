import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, expectRefusal } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Row } from "../support/http/client.js";
import { type Download, download, filesBelow, upload } from "../support/storage/files.js";
import { pdf, pixel } from "../support/storage/stored.js";

const descriptors = new Map([
  [
    "papers.yaml",
    `fields:
  any: { type: file, accept: any }
  secret: { type: file, accept: any, private: true }
  plain: { type: file }
  voice: { type: file, accept: [audio/*, video/webm] }
`,
  ],
]);

let app: WrittenApp;
let caller: Client;
beforeAll(async () => {
  app = await startWrittenApp({ descriptors });
  ({ client: caller } = await app.caller(null));
});
afterAll(() => app.close());

const octets = "application/octet-stream";

function fetchAny(url: string): Promise<Download> {
  return download(app.url, url);
}

/** Bytes that no field takes by default, each with its name and what a browser says about it. */
const others: readonly (readonly [name: string, type: string, bytes: Buffer])[] = [
  ["lead.pdf", "application/pdf", Buffer.from("\r\n%PDF-1.4\n%%EOF")],
  ["inv.xml", "text/xml", Buffer.from('<?xml version="1.0"?><Invoice/>')],
  ["track.gpx", "application/gpx+xml", Buffer.from('<?xml version="1.0"?><gpx/>')],
  ["mail.eml", "message/rfc822", Buffer.from("MIME-Version: 1.0\r\n\r\nhello")],
  ["k.csv", "text/csv", Buffer.from("name;ort\nJ\xf6rg;K\xf6ln\n", "latin1")],
  ["u.txt", "text/plain", Buffer.from("\uFEFFa\tb\r\n", "utf16le")],
  [
    "m.stl",
    "model/stl",
    Buffer.concat([Buffer.alloc(80, " "), Buffer.from([1, 0, 0, 0]), Buffer.alloc(50)]),
  ],
  [
    "s.p7m",
    "application/pkcs7-mime",
    Buffer.from("308201000609 2a864886f70d010702".replace(" ", ""), "hex"),
  ],
  ["page.html", "text/html", Buffer.from("<!doctype html><script>alert(1)</script>")],
  [
    "draw.svg",
    "image/svg+xml",
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
  ],
  ["code.js", "text/javascript", Buffer.from("alert(1)")],
  ["code.wasm", "application/wasm", Buffer.from("0061736d01000000", "hex")],
  ["not-a.pdf", "application/pdf", pixel],
];

describe("a field with accept: any", () => {
  test.each(others)(
    "stores %s as it is, as a download of unknown type",
    async (name, type, bytes) => {
      expectRefusal(
        await upload(caller, "papers/plain", name, bytes, { "content-type": type }),
        422,
      );
      const { status, body } = await upload(caller, "papers/any", name, bytes, {
        "content-type": type,
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ name, mime: octets, size: bytes.length, optimised: false });
      const record = await created(caller, "papers", { any: body.key });
      expect(record).toMatchObject({ any: body.key, anyFile: body });
      const file = await fetchAny(body.url);
      expect(file.bytes.equals(bytes)).toBe(true);
      expect(file.headers).toMatchObject({
        "content-type": octets,
        "content-disposition": `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
      });
    },
  );

  test.each([
    ["a.pdf", pdf, "application/pdf", "application/pdf"],
    ["a.png", pixel, "image/png", "image/png"],
    ["a.csv", Buffer.from("a;b\n"), "text/plain", "text/plain; charset=utf-8"],
  ])(
    "keeps the type of %s, which other fields store too, as a download",
    async (name, bytes, mime, type) => {
      const { body } = await upload(caller, "papers/any", name, bytes);
      expect(body.mime).toBe(mime);
      const { headers } = await fetchAny(body.url);
      expect(headers["content-type"]).toBe(type);
      expect(headers["content-disposition"]).toMatch(/^attachment;/);
      const shown = await upload(caller, "papers/plain", name, bytes);
      const { headers: inline } = await fetchAny(shown.body.url);
      expect(inline["content-disposition"]).toMatch(mime === "text/plain" ? /^attach/ : /^inline;/);
    },
  );

  test.each([
    ["is not text at its end", Buffer.concat([Buffer.alloc(100_000, "a"), Buffer.from([0xff])])],
    [
      "is markup after whitespace",
      Buffer.concat([Buffer.alloc(100_000, " "), Buffer.from("<svg >")]),
    ],
  ])("does not treat as text a file that %s", async (_, bytes) => {
    expectRefusal(await upload(caller, "papers/plain", "a.txt", bytes), 422);
    const { status, body } = await upload(caller, "papers/any", "a.txt", bytes);
    expect(status).toBe(201);
    expect(body).toMatchObject({ mime: octets, size: bytes.length });
    const file = await fetchAny(body.url);
    expect(file.headers["content-type"]).toBe(octets);
    expect(file.bytes.equals(bytes)).toBe(true);
  });

  test("refuses only an empty file, and leaves nothing of it behind", async () => {
    const folder = join(app.root, "storage");
    const before = filesBelow(folder);
    const reply = await upload(caller, "papers/any", "a.txt", Buffer.alloc(0));
    expectRefusal(reply, 422);
    expect(reply.body).toEqual({ error: "The file is empty" });
    expect(filesBelow(folder)).toEqual(before);
  });

  test("is not needed for voice messages of browsers", async () => {
    const webm = Buffer.from("1a45dfa39f4286810142f7810142f2810442f381084282847765626d", "hex");
    const type = { "content-type": "audio/webm;codecs=opus" };
    expect((await upload(caller, "papers/voice", "v.webm", webm, type)).status).toBe(201);
  });

  test("may be private", async () => {
    const { body } = await upload(caller, "papers/secret", "inv.xml", "<a/>");
    expect(body).toMatchObject({ mime: octets, url: expect.stringContaining("signature=") });
    expect((await fetchAny(body.url.split("?")[0] ?? "")).status).toBe(404);
    const { headers, bytes } = await fetchAny(body.url);
    expect(bytes.toString()).toBe("<a/>");
    expect(headers).toMatchObject({
      "content-type": octets,
      "content-disposition": expect.stringMatching(/^attachment;/),
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  test("accepts files from app code too", async () => {
    const files = app.app.files;
    const key = await files.store(Buffer.from("<Invoice/>"), {
      resource: "papers",
      field: "any",
      name: "inv.xml",
    });
    expect(await files.read(key)).toMatchObject({ name: "inv.xml", type: octets, size: 10 });
    const plain = { resource: "papers", field: "plain", name: "inv.xml" };
    await expect(files.store(Buffer.from("<Invoice/>"), plain)).rejects.toMatchObject({
      status: 422,
    });
  });

  test("is described as a field of any type", async () => {
    const { body } = await caller.get<{ data: { fields: Row[] }[] }>("/_service/resources");
    expect(body.data[0]?.fields.map(({ name, accept }) => [name, accept])).toEqual([
      ["any", "any"],
      ["secret", "any"],
      ["plain", undefined],
      ["voice", ["audio/*", "video/webm"]],
    ]);
  });
});
