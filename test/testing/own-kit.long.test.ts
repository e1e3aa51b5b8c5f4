import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { startTestApp } from "service-cli/testing";
import { Refusal, refusal } from "service-runtime/errors";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { createApp, type Hooks } from "../../fixtures/apps/shop/generated/app.js";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
import { plain } from "../support/pictures/pictures.js";
import { withVariables } from "../support/processes/environment.js";

type Context = Parameters<NonNullable<NonNullable<Hooks["products"]>["beforeCreate"]>>[1];

let before: (context: Context) => unknown = () => {};
let after: (context: Context) => unknown = () => {};
const hooks: Hooks = {
  products: {
    beforeCreate: async (values, context) => {
      const given = await before(context);
      return typeof given === "string" ? { ...values, manual: given } : undefined;
    },
    afterCreate: async (_product, context) => void (await after(context)),
  },
};

const start = () =>
  withVariables(
    {
      DATABASE_URL: inject("postgresUrl"),
      SHOP_STORAGE: "/nowhere",
      SERVICE_LOG_LEVEL: "silent",
    },
    () => startTestApp(() => createApp({ hooks }), { createClient }),
  );
let app: Awaited<ReturnType<typeof start>>;
let client: ReturnType<typeof createClient>;
let accountId: string;
let categoryId: string;
let count = 0;
beforeAll(async () => {
  app = await start();
  ({ client, id: accountId } = await app.account({ role: "admin" }));
  categoryId = (await client.categories.create({ name: "Teas" })).id;
});
afterAll(() => app.stop());
afterEach(async () => {
  before = () => {};
  after = () => {};
  await app.app.db.query("delete from service.mails");
});

function product() {
  count += 1;
  return { name: `Tea ${count}`, price: 1, categoryId };
}

const invoice = { to: ["ada@example.com"], subject: "Invoice", text: "1 Tea" };
const pdf = Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n", "latin1");
const manual = { resource: "products", field: "manual", name: "tea.pdf" };

test("a mail of a hook is sent with its write", async () => {
  before = ({ mail }) => mail.send(invoice);
  await client.products.create(product());
  expect(await app.mails()).toEqual([invoice]);
});

test("a write that is refused or fails sends none", async () => {
  for (const thrown of [refusal(409, "No"), new Error("a bug")]) {
    before = async ({ mail }) => {
      await mail.send(invoice);
      throw thrown;
    };
    await expect(client.products.create(product())).rejects.toThrow();
  }
  before = ({ mail }) => mail.send(invoice);
  const taken = product();
  await client.products.create(taken);
  await expect(client.products.create(taken)).rejects.toMatchObject({ status: 422 });
  expect(await app.mails()).toHaveLength(1);
});

test("several mails at once, and one of a hook after the write", async () => {
  before = ({ mail }) => Promise.all([mail.send(invoice), mail.send(invoice)]);
  after = ({ mail }) => mail.send({ ...invoice, subject: "After" });
  await client.products.create(product());
  await expect
    .poll(async () => (await app.mails()).map(({ subject }) => subject))
    .toEqual(["Invoice", "Invoice", "After"]);
});

test("a mail over the limits is a 500 of the hook, and nothing is stored", async () => {
  const made = product();
  before = ({ mail }) => mail.send({ ...invoice, to: Array(51).fill("a@example.com") });
  await expect(client.products.create(made)).rejects.toMatchObject({ status: 500 });
  expect(await app.app.resources.products.count({ where: { name: made.name } })).toBe(0);
});

test("app.mail and a kept context cannot be used outside of a hook's transaction", async () => {
  let kept: Context | undefined;
  let thrown: unknown;
  before = async (context) => {
    kept = context;
    thrown = await app.app.mail.send(invoice).catch((error) => error);
  };
  await client.products.create(product());
  expect(String(thrown)).toContain("app.mail cannot be used in products.beforeCreate");
  await expect(kept?.mail.send(invoice)).rejects.toThrow("has ended");
  await expect(kept?.files.store(pdf, manual)).rejects.toThrow("has ended");
  await expect(kept?.files.read("x")).rejects.toThrow("has ended");
  expect(await app.mails()).toEqual([]);
});

test("a file that a hook stores is a value of its record, served and read again", async () => {
  before = ({ files }) => files.store(pdf, manual);
  const made = await client.products.create(product());
  expect(made.manualFile).toMatchObject({
    name: "tea.pdf",
    mime: "application/pdf",
    size: pdf.length,
  });
  const served = await fetch(app.url + made.manualFile?.url);
  expect(Buffer.from(await served.arrayBuffer())).toEqual(pdf);
  const read = await app.app.files.read(made.manual ?? "");
  expect(read).toMatchObject({ name: "tea.pdf", type: "application/pdf", size: pdf.length });
  expect(await buffer(read?.stream ?? Readable.from([]))).toEqual(pdf);
  const uploads = await app.app.db.query("select user_id from service.uploads where key = $1", [
    made.manual,
  ]);
  expect(uploads).toEqual([{ user_id: accountId }]);
});

test("a stream is stored, and the next writer may use the key", async () => {
  const parts = [pdf.subarray(0, 7), pdf.subarray(7)];
  for (const stream of [Readable.from(parts), new Blob([pdf]).stream(), generated(parts)]) {
    const key = await app.app.files.store(stream, manual);
    expect(key).toMatch(/^products\/manual\/\d{4}\/\d\d\/[\w-]+-tea\.pdf$/);
    const made = await client.products.create({ ...product(), manual: key });
    expect(made.manualFile?.size).toBe(pdf.length);
  }
});

async function* generated(parts: readonly Uint8Array[]) {
  yield* parts;
}

test("a picture gets the sizes of its field", async () => {
  const picture = await plain(40, 30, "#ff0000").png().toBuffer();
  const image = { resource: "products", field: "image", name: "red.png" };
  const key = await app.app.files.store(picture, image);
  const read = await app.app.files.read(key);
  expect(read).toMatchObject({ name: "red.png", type: "image/webp" });
  read?.stream.destroy();
});

const refused: readonly [string, Uint8Array, object, number][] = [
  ["0 bytes", Buffer.alloc(0), {}, 422],
  ["another kind", Buffer.from("text"), { name: "tea.txt" }, 422],
  ["a name that says otherwise", pdf, { name: "tea.png" }, 422],
  ["no name", pdf, { name: "" }, 422],
  ["a name with a line break", pdf, { name: "tea\r\n.pdf" }, 422],
  ["a picture that is none", pdf, { field: "image" }, 422],
  ["more than the limit", Buffer.concat([pdf, Buffer.alloc(10_485_760, 32)]), {}, 413],
];

test.each(refused)(
  "refuses %s as an upload would be, and keeps nothing",
  async (_, bytes, change, status) => {
    const objects = () => app.app.db.query("select key from service.stored_objects");
    const former = await objects();
    const error = await app.app.files.store(bytes, { ...manual, ...change }).catch((one) => one);
    expect(error).toBeInstanceOf(Refusal);
    expect(error.status).toBe(status);
    expect(await objects()).toEqual(former);
  },
);

test("a stream that breaks half-way throws its own error, and nothing of it stays", async () => {
  const objects = () => app.app.db.query("select key from service.stored_objects");
  const former = await objects();
  async function* broken() {
    yield pdf;
    yield Buffer.alloc(100_000, 32);
    throw new Error("the line is dead");
  }
  await expect(app.app.files.store(broken(), manual)).rejects.toThrow("the line is dead");
  before = ({ files }) => files.store(broken(), manual);
  await expect(client.products.create(product())).rejects.toMatchObject({ status: 500 });
  expect(await objects()).toEqual(former);
});

test("a stream of text, a field without files and a missing field are mistakes", async () => {
  const texts = Readable.from(["text"]) as unknown as AsyncIterable<Uint8Array>;
  await expect(app.app.files.store(texts, manual)).rejects.toThrow("must yield bytes");
  for (const change of [{ field: "name" }, { field: "constructor" }, { resource: "produkts" }]) {
    await expect(app.app.files.store(pdf, { ...manual, ...change })).rejects.toThrow(
      "that takes files",
    );
  }
});

test("read is null for any key without a file", async () => {
  for (const key of ["", "x", "../../etc/passwd", "products/manual/2026/01/none.pdf", "a\0b"]) {
    expect(await app.app.files.read(key)).toBeNull();
  }
});

test("a file whose write is refused is left as an unclaimed upload", async () => {
  let key = "";
  before = async ({ files }) => {
    key = await files.store(pdf, manual);
    throw refusal(409, "No");
  };
  await expect(client.products.create(product())).rejects.toMatchObject({ status: 409 });
  expect(
    await app.app.db.query(
      "select unused_since is not null as unused from service.uploads where key = $1",
      [key],
    ),
  ).toEqual([{ unused: true }]);
});
