import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import type { Client, Reply } from "../support/http/client.js";
import { known, pruneIn, putAvatar, uploaded } from "../support/storage/stored.js";

interface Product {
  readonly id: string;
  readonly photos: readonly string[];
  readonly photosFiles: readonly FileDetails[];
}

interface Refused {
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

let app: WrittenApp;
let admin: Client;
let isHooked = false;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        "trash: true\nfields:\n  photos: { type: image, list: true, profile: product, maxItems: 3 }\n",
      ],
    ]),
    options: {
      hooks: {
        products: { beforeUpdate: (changes: object) => (isHooked ? { ...changes } : undefined) },
      },
    } as never,
  });
  admin = (await app.caller("admin")).client;
});
beforeEach(() => {
  isHooked = false;
});
afterAll(() => app?.close());

const photo = async () => (await uploaded(admin, "products/photos", "a.png")).key;
const unknown = "No file was uploaded to this field under this key";

async function product(photos: readonly string[]): Promise<Product> {
  const { status, text, body } = await admin.post<Product>("/products", { photos });
  expect(status, text).toBe(201);
  return body;
}

async function issuesOf(reply: Promise<Reply<Refused>>): Promise<string[]> {
  const { status, text, body } = await reply;
  expect(status, text).toBe(422);
  return body.issues.map(({ path, message }) => `${path}: ${message}`);
}

/** The answer to a request that comes while an upload is being deleted. */
async function duringDeletion(
  key: string,
  request: () => Promise<Reply<Refused>>,
): Promise<Reply<Refused>> {
  let reply: Promise<Reply<Refused>> | undefined;
  await app.db.transaction(async (held) => {
    await held.query("select from service.uploads where key = $1 for update", [key]);
    reply = request();
    await expect.poll(() => app.db.query(lockWaiters), { interval: 10 }).not.toEqual([]);
    await held.query("delete from service.uploads where key = $1", [key]);
  });
  if (reply === undefined) throw new Error("The request was not made");
  return reply;
}

test.each([
  ["without hooks", false],
  ["with hooks", true],
])("a list that takes a file during its deletion is refused, %s", async (_, hooked) => {
  isHooked = hooked;
  const kept = await photo();
  const { id } = await product([kept]);
  const during = async (values: (key: string) => unknown, method: "post" | "patch" | "put") => {
    const key = await photo();
    const path = method === "post" ? "/products" : `/products/${id}`;
    const send = () => admin[method]<Refused>(path, { photos: values(key) });
    return issuesOf(duringDeletion(key, send));
  };
  const list = (key: string) => [kept, key];
  expect(await during(list, "post")).toEqual([`photos.1: ${unknown}`]);
  expect(await during(list, "patch")).toEqual([`photos.1: ${unknown}`]);
  expect(await during(list, "put")).toEqual([`photos.1: ${unknown}`]);
  expect(await during((key) => ({ add: [key] }), "patch")).toEqual([`photos.add.0: ${unknown}`]);
  expect((await admin.get<Product>(`/products/${id}`)).body.photos).toEqual([kept]);
});

test.each([
  ["without hooks", false],
  ["with hooks", true],
])("of concurrent additions, a list accepts only up to its maximum, %s", async (_, hooked) => {
  isHooked = hooked;
  const keys = await Promise.all([photo(), photo(), photo(), photo(), photo()]);
  const { id } = await product([]);
  const replies = await Promise.all(
    keys.map((key) => admin.patch<Refused>(`/products/${id}`, { photos: { add: [key] } })),
  );
  const stored = keys.filter((_key, at) => replies[at]?.status === 200);
  expect(stored).toHaveLength(3);
  for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
    expect({ status, issues: body.issues }).toEqual({
      status: 422,
      issues: [{ path: "photos", message: "At most 3 elements" }],
    });
  }
  const { photos } = (await admin.get<Product>(`/products/${id}`)).body;
  expect(photos.toSorted()).toEqual(stored.toSorted());
});

test("lists of the wrong length and form are refused", async () => {
  const key = await photo();
  const { id } = await product([key]);
  const many = Array.from({ length: 1001 }, (_, at) => `products/photos/${at}`);
  const patch = (photos: unknown) => issuesOf(admin.patch<Refused>(`/products/${id}`, { photos }));
  expect(await patch(many)).toEqual(["photos: At most 3 elements"]);
  expect(await patch({ add: many })).toEqual(["photos: At most 3 elements"]);
  expect((await admin.patch(`/products/${id}`, { photos: { remove: many } })).status).toBe(200);
  expect(await patch([key, 1, null])).toEqual([
    "photos.1: Must be text",
    "photos.2: A value is required",
  ]);
  expect(await patch(["", "a\u0000b", "x".repeat(100_000)])).toEqual([
    "photos.0: Text may not be empty",
    "photos.1: Text must be Unicode without NUL characters",
    "photos.2: At most 1000 characters",
  ]);
  expect(await patch([[key]])).toEqual(["photos.0: Must be text"]);
  expect(await patch({ add: key })).toEqual(["photos.add: Must be a list"]);
  expect(await patch({})).toEqual(["photos: Must have add or remove"]);
  expect(await patch("")).toEqual(["photos: Must be a list"]);
});

test("no file of another kind is in a list", async () => {
  const picture = await uploaded(admin, "products/photos", "a.png");
  const rendition = Object.values(picture.renditions)[0]?.url.split("/files/")[1] ?? "";
  expect(rendition).not.toBe("");
  const avatar = (await putAvatar(admin)).body.key;
  const list = [rendition, avatar, `${picture.key} `];
  expect(await issuesOf(admin.post<Refused>("/products", { photos: list }))).toEqual(
    list.map((_, at) => `photos.${at}: ${unknown}`),
  );
});

test("files are shared by records, kept in the trash, restored in order, and released by purge", async () => {
  const { storage } = app.config.uploads;
  const stored = { db: app.db, storage: storage.driver === "disk" ? storage.path : "" };
  const keys = [await photo(), await photo(), await photo()];
  const [a = "", b = "", c = ""] = keys;
  const { id } = await product([c, a, b]);
  const other = await product([b]);
  expect((await admin.delete(`/products/${id}`)).status).toBe(204);
  await pruneIn(30, stored);
  await pruneIn(60, stored);
  expect(await known(app.db, keys)).toEqual(keys.toSorted());
  const trashed = await admin.get<Product>(`/products/${id}?trash=only`);
  expect(trashed.body).toMatchObject({
    photos: [c, a, b],
    photosFiles: [c, a, b].map((key) => ({ key })),
  });
  const restored = await admin.post<Product>(`/products/${id}/_restore`, {});
  expect(restored.body.photos).toEqual([c, a, b]);
  const entries =
    "select target_id as key from products_photos where record_id = $1 order by position";
  expect(await app.db.query(entries, [id])).toEqual([{ key: c }, { key: a }, { key: b }]);
  await admin.delete(`/products/${id}`);
  expect((await admin.delete(`/products/${id}?trash=skip`)).status).toBe(204);
  await pruneIn(61, stored);
  await pruneIn(90, stored);
  expect(await known(app.db, keys)).toEqual([b]);
  expect((await admin.get<Product>(`/products/${other.id}`)).body.photos).toEqual([b]);
});
