import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, expectRefusal, openShop, type Shop } from "../support/apps/shop.js";
import type { Row } from "../support/http/client.js";
import { openWire } from "../support/http/wire.js";
import { fields } from "../support/pictures/pictures.js";
import { download, filesBelow, upload } from "../support/storage/files.js";
import { pdf } from "../support/storage/stored.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

test("an uploaded file is stored, held by a record, and served", async () => {
  const { status, body } = await upload(shop.admin, "products/manual", "Anleitung ü1.pdf", pdf);
  expect(status).toBe(201);
  expect(Object.entries(body)).toEqual([
    ["key", expect.stringMatching(/^products\/manual\//)],
    ["url", `/api/_service/files/${body.key}`],
    ["name", "Anleitung ü1.pdf"],
    ["mime", "application/pdf"],
    ["size", pdf.length],
    ["width", null],
    ["height", null],
    ["optimised", false],
    ["renditions", {}],
  ]);
  const product = await created(shop.admin, "products", shop.product("A", { manual: body.key }));
  expect(product).toMatchObject({ manual: body.key, manualFile: body });
  const file = await download(shop.app.url, body.url);
  expect(file.bytes.equals(pdf)).toBe(true);
});

test("lists carry the file's details too", async () => {
  const { body } = await upload(shop.admin, "products/manual", "listed.pdf", pdf);
  await created(shop.admin, "products", shop.product("Listed", { manual: body.key }));
  const { body: page } = await shop.member.list("/products?filter[name]=Listed");
  expect(page.data[0]).toMatchObject({ manual: body.key, manualFile: body, imageFile: null });
});

test("the path takes the resource's name or its type's", async () => {
  for (const resource of ["order-items", "product", "PRODUCTS"]) {
    expectRefusal(await upload(shop.admin, `${resource}/manual`, "a.pdf", pdf), 404);
  }
  const { status, body } = await upload(shop.admin, "Product/manual", "a.pdf", pdf);
  expect(status).toBe(201);
  expect(body.key).toMatch(/^products\/manual\//);
});

describe("a key", () => {
  test.each([
    ["report.pdf", "report.pdf"],
    ["Größe (XL) 10%.pdf", "GreXL10.pdf"],
    ["a_b-c.d.pdf", "a_b-c.d.pdf"],
    ["../../etc/passwd", "....etcpasswd"],
    ["CON", "CON"],
    ["..", ".."],
    ["日本語", "file"],
    ["🙂".repeat(255), "file"],
    [`${"x".repeat(120)}.pdf`, "x".repeat(100)],
    ["\u202Efdp.txt", "fdp.txt"],
  ])("of %j ends in %j, and the name stays as it was", async (name, ending) => {
    const before = new Date().toISOString().slice(0, 7).replace("-", "/");
    const bytes = name.endsWith(".pdf") ? pdf : "plain text\n";
    const { status, body } = await upload(shop.admin, "reviews/attachment", name, bytes);
    expect(status).toBe(201);
    expect(body.name).toBe(name);
    const [, month, uuid, last] =
      /^reviews\/attachment\/(\d{4}\/\d\d)\/([0-9a-f-]{36})-(.*)$/.exec(body.key) ?? [];
    expect(month).toBe(before);
    expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(last).toBe(ending);
    expect((await download(shop.app.url, body.url)).status).toBe(200);
  });
});

describe("a name", () => {
  test.each([
    ["is missing", ""],
    ["is empty", "?name="],
    ["has no value", "?name"],
    ["is sent twice", "?name=a.pdf&name=b.pdf"],
    ["is not UTF-8", "?name=%ff.pdf"],
    ["is half a surrogate pair", "?name=%ed%a0%80.pdf"],
    ["is broken off", "?name=a%2"],
    ["has a NUL", "?name=a%00.png"],
    ["has a line break", "?name=a%0d%0aX-Evil:1.pdf"],
    ["has a control character of the upper kind", "?name=a%c2%85.pdf"],
    ["has 256 characters", `?name=${encodeURIComponent("🙂".repeat(256))}`],
  ])("that %s is refused, with an issue", async (_, query) => {
    const reply = await shop.admin.send("PUT", `/_service/uploads/products/manual${query}`, {
      text: pdf,
    });
    expectRefusal(reply, 422, ["issues"]);
    expect(reply.body).toMatchObject({ issues: [{ path: "name" }] });
  });

  test("reads a plus as a space, as forms encode it", async () => {
    const { body } = await shop.admin.send<Row>(
      "PUT",
      "/_service/uploads/reviews/attachment?&name=a+b%2Bc.txt",
      { text: "text", headers: { "content-type": undefined } },
    );
    expect(body.name).toBe("a b+c.txt");
  });
});

describe("an upload is refused", () => {
  const path = "/_service/uploads/products/manual?name=a.pdf";

  test("with parameters other than its name, before its body is read", async () => {
    for (const query of ["?name=a.pdf&nmae=b.pdf", "?nmae=b.pdf"]) {
      const sent = { text: pdf, headers: { "content-encoding": "gzip" } };
      const address = `/_service/uploads/products/manual${query}`;
      const reply = await shop.admin.send("PUT", address, sent);
      expectRefusal(reply, 400, ["issues"]);
      expect(reply.body).toMatchObject({ issues: [{ param: "nmae" }] });
    }
    expectRefusal(await shop.admin.send("PUT", "/auth/avatar?name=a.png&x", { text: pdf }), 400, [
      "issues",
    ]);
  });

  test("without a token, before any other check", async () => {
    expectRefusal(await shop.anonymous.send("PUT", path, { text: pdf }), 401);
    const nowhere = await shop.anonymous.send("PUT", "/_service/uploads/no/thing", { text: pdf });
    expectRefusal(nowhere, 401);
    expect(nowhere.headers["www-authenticate"]).toBe("Bearer");
  });

  test.each([
    "nothing/manual",
    "products/nothing",
    "products/name",
    "products/imageFile",
    "products/constructor",
    "products/__proto__",
    "constructor/name",
    "users/avatar",
    "products/manual%2f",
    "Products/manual",
  ])("to %s: 404", async (field) => {
    expectRefusal(await upload(shop.member, field, "a.pdf", pdf), 404);
  });

  test("from callers who may neither create nor update, before the body is read", async () => {
    const reply = await shop.member.send("PUT", "/_service/uploads/products/manual", {
      text: pdf,
      headers: { "content-encoding": "gzip" },
    });
    expectRefusal(reply, 403);
    expect((await upload(shop.editor, "products/manual", "a.pdf", pdf)).status).toBe(201);
  });

  test("with another method: 405; with an Accept that excludes JSON: 406", async () => {
    const reply = await shop.admin.send("POST", path, { text: pdf });
    expectRefusal(reply, 405);
    expect(reply.headers.allow).toBe("PUT, OPTIONS");
    const headers = { accept: "text/html" };
    expectRefusal(await shop.admin.send("PUT", path, { text: pdf, headers }), 406);
  });

  test("compressed: 415, before its length and its name", async () => {
    const unnamed = await shop.admin.send("PUT", "/_service/uploads/products/manual", {
      text: pdf,
      headers: { "content-encoding": "br" },
    });
    expectRefusal(unnamed, 415);
    const identity = { "content-encoding": "identity" };
    expect((await upload(shop.admin, "products/manual", "a.pdf", pdf, identity)).status).toBe(201);
  });

  test("partial: 400, after 404 and 403, before its coding, its length and its name", async () => {
    const headers = { "content-range": "bytes 0-4/11", "content-encoding": "br" };
    const put = (by: Shop["admin"], path: string) =>
      by.send<{ error: string }>("PUT", path, { text: pdf, headers });
    const reply = await put(shop.admin, "/_service/uploads/products/manual");
    expectRefusal(reply, 400);
    expect(reply.body.error).toBe("Send the whole body without a Content-Range");
    expectRefusal(await put(shop.admin, "/auth/avatar?name=me.png"), 400);
    expectRefusal(await put(shop.admin, "/_service/uploads/products/nothing"), 404);
    expectRefusal(await put(shop.member, "/_service/uploads/products/manual"), 403);
    expectRefusal(await put(shop.anonymous, "/auth/avatar?name=me.png"), 401);
  });

  test("with one byte too many: 413, before its name", async () => {
    const tooLong = Buffer.alloc(10_485_761, "x");
    const reply = await shop.admin.send("PUT", "/_service/uploads/products/manual", {
      text: tooLong,
    });
    expectRefusal(reply, 413);
    expect(reply.body).toEqual({ error: "The file is larger than 10 MB (uploads.max_bytes)" });
    const chunked = { "content-length": undefined, "transfer-encoding": "chunked" };
    expectRefusal(await upload(shop.admin, "reviews/attachment", "a.txt", tooLong, chunked), 413);
    expectRefusal(await upload(shop.admin, "products/manual", "a.pdf", tooLong, chunked), 413);
    const whole = await upload(shop.admin, "reviews/attachment", "a.txt", tooLong.subarray(1));
    expect(whole.status).toBe(201);
    expect(whole.body.size).toBe(10_485_760);
  });

  test("for its contents: 422 without issues, and nothing stays", async () => {
    const objects = async () =>
      (await shop.app.db.query("select from service.stored_objects")).length;
    const [before, filesBefore] = [await objects(), filesBelow(shop.app.storage)];
    expectRefusal(await upload(shop.admin, "products/manual", "a.txt", "no PDF"), 422);
    expectRefusal(await upload(shop.admin, "reviews/attachment", "empty", ""), 422);
    const late = `${"text ".repeat(40_000)}\u0007`;
    expectRefusal(await upload(shop.admin, "reviews/attachment", "late.txt", late), 422);
    expect(await objects()).toBe(before);
    expect(filesBelow(shop.app.storage)).toEqual(filesBefore);
  });
});

describe("a record refuses a key", () => {
  test("that was uploaded to another field, or nowhere", async () => {
    const { body: manual } = await upload(shop.admin, "products/manual", "a.pdf", pdf);
    const { body: invoice } = await upload(shop.admin, "reviews/attachment", "a.pdf", pdf);
    const nowhere = manual.key.replace(/.pdf$/, ".png");
    for (const [field, key] of [
      ["image", manual.key],
      ["manual", invoice.key],
      ["manual", nowhere],
      ["manual", "a.pdf"],
    ] as const) {
      const product = shop.product(`${field} ${key}`, { [field]: key });
      const reply = await shop.admin.post("/products", product);
      expectRefusal(reply, 422, ["issues"]);
      expect(reply.body).toMatchObject({ issues: [{ path: field }] });
    }
  });

  test("except one that another record has", async () => {
    const { body } = await upload(shop.admin, "products/manual", "shared.pdf", pdf);
    for (const name of ["Shared 1", "Shared 2"]) {
      await created(shop.admin, "products", shop.product(name, { manual: body.key }));
    }
  });
});

test.each([
  ["products/manual", "slow.pdf", Buffer.concat([pdf, Buffer.alloc(200_000, " ")])],
  ["products/image", "slow.png", await noise()],
])("the directory date of an upload to %s is that of its end", async (field, name, bytes) => {
  const wire = await openWire(shop.app.url);
  const head = [
    `PUT /api/_service/uploads/${field}?name=${name} HTTP/1.1`,
    ...["Host: x", `Authorization: Bearer ${shop.app.token}`, `Content-Length: ${bytes.length}`],
  ];
  const before = filesBelow(shop.app.storage).length;
  await wire.send(`${head.join("\r\n")}\r\n\r\n`);
  await wire.send(bytes.subarray(0, 100_000));
  await expect.poll(() => filesBelow(shop.app.storage).length).toBe(before + 1);
  await sleep(10);
  const late = new Date();
  await wire.send(bytes.subarray(100_000));
  const [, key] = await wire.sees(/^HTTP\/1\.1 201 [\s\S]*?"key":"([^"]+)"/);
  wire.destroy();
  const [row] = await shop.app.db.query<{ created: Date; unused: Date }>(
    "select created_at as created, unused_since as unused from service.uploads where key = $1",
    [key],
  );
  expect(row?.created.getTime()).toBeGreaterThanOrEqual(late.getTime());
  // By PostgreSQL's clock, and a moment later.
  expect(row?.unused.getTime()).toBeGreaterThanOrEqual(row?.created.getTime() ?? Infinity);
});

/** A picture that nothing packs. */
function noise(): Promise<Buffer> {
  return fields({ width: 300, height: 300 }).png({ compressionLevel: 0 }).toBuffer();
}

test("a stored key is in use from the record's first write on", async () => {
  const { body } = await upload(shop.admin, "products/manual", "b.pdf", pdf);
  const isUnused = async (key: string) =>
    (
      await shop.app.db.query(
        "select from service.uploads where key = $1 and unused_since is not null",
        [key],
      )
    ).length === 1;
  expect(await isUnused(body.key)).toBe(true);
  const product = await created(shop.admin, "products", shop.product("B", { manual: body.key }));
  expect(await isUnused(body.key)).toBe(false);
  for (const method of ["patch", "put"] as const) {
    const { body: other } = await upload(shop.admin, "products/manual", "c.pdf", pdf);
    const values = shop.product("B", { active: true, status: "live", manual: other.key });
    const reply = await shop.admin[method](`/products/${product.id}`, values);
    expect(reply.status, reply.text).toBe(200);
    expect(await isUnused(other.key)).toBe(false);
  }
});
