import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import { checkAnswers, ignoreAnswers } from "../support/openapi/answers.js";
import { download } from "../support/storage/files.js";
import { known, onDisk, pruneIn, uploaded } from "../support/storage/stored.js";

let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `changes: { history: 30 }
access: { read: [{ who: clerk, where: { photos: { ne: null } } }, admin], write: [admin] }
fields:
  name: { type: string }
  photos: { type: image, list: true, profile: product, maxItems: 4 }
  papers: { type: file, list: true, accept: [application/pdf] }
  notes: { type: file, list: true, access: { read: [admin] } }
`,
      ],
      [
        "letters.yaml",
        `trash: true
access: { list: owner, get: owner, create: signed-in, update: owner, delete: owner }
owner: accountId
fields:
  scans: { type: image, list: true, private: true }
  accountId: { type: belongsTo, resource: users, required: true }
`,
      ],
    ]),
  });
  checkAnswers(app.url, app.root);
  admin = (await app.caller("admin")).client;
});
afterAll(async () => {
  ignoreAnswers(app?.url);
  await app?.close();
});

interface Product {
  readonly id: string;
  readonly photos: readonly string[];
  readonly photosFiles: readonly FileDetails[];
}

interface Refused {
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

const photo = (caller = admin) => uploaded(caller, "products/photos", "a.png");

async function product(values: object): Promise<Product> {
  const { status, body } = await admin.post<Product>("/products", values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function issuesOf(reply: Promise<{ status: number; body: Refused }>): Promise<string[]> {
  const { status, body } = await reply;
  expect({ status, body }).toMatchObject({ status: 422 });
  return body.issues.map(({ path, message }) => `${path}: ${message}`);
}

const post = (values: object) => issuesOf(admin.post<Refused>("/products", values));
const unknown = "No file was uploaded to this field under this key";

describe("values", () => {
  test("a record shows the keys in the given order, and the files' details in the same order", async () => {
    const [a, b, c] = [await photo(), await photo(), await photo()];
    const made = await product({ photos: [c.key, a.key, b.key] });
    expect(made).toMatchObject({
      photos: [c.key, a.key, b.key],
      photosFiles: [c, a, b],
      papers: [],
      papersFiles: [],
    });
    expect(Object.keys(made)).toEqual([
      ...["id", "name", "photos", "photosFiles", "papers", "papersFiles", "notes", "notesFiles"],
      ...["createdAt", "updatedAt"],
    ]);
    expect(made).not.toHaveProperty("photosFile");
    expect((await admin.get(`/products/${made.id}`)).body).toEqual(made);
    expect(
      (await admin.get<{ data: Product[] }>("/products?sort=-createdAt")).body.data[0],
    ).toEqual(made);
    expect((await admin.get(`/products/${made.id}?fields=photosFiles`)).body).toEqual({
      id: made.id,
      photosFiles: [c, a, b],
    });
    const turned = await admin.patch(`/products/${made.id}`, { photos: [a.key, b.key, c.key] });
    expect(turned.body).toMatchObject({ photosFiles: [a, b, c] });
    const put = await admin.put<Product>(`/products/${made.id}`, { name: "x" });
    expect(put.body).toMatchObject({ photos: [], photosFiles: [] });
  });

  test("mistakes are named by element, all at once", async () => {
    const { key } = await photo();
    const paper = await uploaded(admin, "products/papers");
    expect(await post({ photos: [key, key, "x"] })).toEqual(["photos.1: Is in the list already"]);
    expect(await post({ photos: [key, "products/photos/none", paper.key], papers: [key] })).toEqual(
      [`photos.1: ${unknown}`, `photos.2: ${unknown}`, `papers.0: ${unknown}`],
    );
    expect(await post({ photos: null, papers: "x" })).toEqual([
      "photos: A value is required",
      "papers: Must be a list",
    ]);
    expect(await post({ photos: ["a", "b", "c", "d", "e"] })).toEqual([
      "photos: At most 4 elements",
    ]);
    expect(await post({ photosFiles: [] })).toEqual(["photosFiles: Unknown field"]);
  });

  test("PATCH removes keys, then adds those that are missing", async () => {
    const [a, b, c] = [await photo(), await photo(), await photo()];
    const { id } = await product({ photos: [a.key, b.key] });
    const changed = await admin.patch(`/products/${id}`, {
      photos: { add: [c.key, b.key], remove: [a.key, "products/photos/none"] },
    });
    expect(changed.body).toMatchObject({ photos: [b.key, c.key], photosFiles: [b, c] });
    const patch = (photos: object) => issuesOf(admin.patch<Refused>(`/products/${id}`, { photos }));
    expect(await patch({ add: [a.key, "none"] })).toEqual([`photos.add.1: ${unknown}`]);
    expect(await patch({ add: [a.key, a.key] })).toEqual(["photos.add.1: Is in the list already"]);
    expect(await patch({ add: [a.key], remove: [a.key] })).toEqual([
      "photos.add.0: Is in both lists",
    ]);
    const others = await Promise.all([photo(), photo(), photo()]);
    expect(await patch({ add: others.map(({ key }) => key) })).toEqual([
      "photos: At most 4 elements",
    ]);
  });

  test("keys that different requests add at once are all kept", async () => {
    const photos = await Promise.all([photo(), photo(), photo(), photo()]);
    const { id } = await product({});
    const answers = await Promise.all(
      photos.map(({ key }) => admin.patch(`/products/${id}`, { photos: { add: [key] } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await admin.get<Product>(`/products/${id}`);
    expect(body.photos.toSorted()).toEqual(photos.map(({ key }) => key).sort());
  });

  test("lists are filtered by whether they are empty, and by nothing else", async () => {
    await app.db.query("delete from products");
    const full = await product({ photos: [(await photo()).key] });
    const empty = await product({});
    const found = async (query: string) => {
      const { body } = await admin.get<{ data: Product[] }>(`/products?${query}`);
      return body.data.map(({ id }) => id);
    };
    expect(await found("filter[photos]=")).toEqual([empty.id]);
    expect(await found("filter[photos]=null")).toEqual([empty.id]);
    expect(await found("filter[photos][ne]=")).toEqual([full.id]);
    expect(await found(`where=${JSON.stringify({ photos: null })}`)).toEqual([empty.id]);
    expect(await found(`where=${JSON.stringify({ photos: { ne: null } })}`)).toEqual([full.id]);
    for (const query of [
      `filter[photos]=${full.photos[0]}`,
      `filter[photos][has]=${full.photos[0]}`,
      `filter[photos][ne]=${full.photos[0]}`,
      `where=${JSON.stringify({ photos: full.photos[0] })}`,
      `where=${JSON.stringify({ photos: { hasAny: full.photos } })}`,
      "sort=photos",
    ]) {
      expect((await admin.get(`/products?${query}`)).status, query).toBe(400);
    }
    const clerk = (await app.caller("clerk")).client;
    const { body } = await clerk.get<{ data: Product[] }>("/products");
    expect(body.data.map(({ id }) => id)).toEqual([full.id]);
  });

  test("a caller who may not read a field sees neither its keys nor its details", async () => {
    const note = await uploaded(admin, "products/notes");
    const { id } = await product({ notes: [note.key], photos: [(await photo()).key] });
    const clerk = (await app.caller("clerk")).client;
    const { body } = await clerk.get<object>(`/products/${id}`);
    expect(body).not.toHaveProperty("notes");
    expect(body).not.toHaveProperty("notesFiles");
    expect((await clerk.get(`/products/${id}?fields=notesFiles`)).status).toBe(400);
  });

  test("history has the keys", async () => {
    const [a, b] = [await photo(), await photo()];
    const { id } = await product({ photos: [a.key] });
    await admin.patch(`/products/${id}`, { photos: [b.key, a.key] });
    await expect
      .poll(
        async () => (await admin.get<{ data: object[] }>(`/products/${id}/_history`)).body.data[0],
      )
      .toMatchObject({ changes: [{ field: "photos", from: [a.key], to: [b.key, a.key] }] });
  });
});

describe("files", () => {
  const stored = () => {
    const { storage } = app.config.uploads;
    return { db: app.db, storage: storage.driver === "disk" ? storage.path : "" };
  };

  test("pruning keeps files in a list, and deletes files removed from it", async () => {
    const [a, b] = [await photo(), await photo()];
    const { id } = await product({ photos: [a.key, b.key] });
    await pruneIn(30, stored());
    expect(await known(app.db, [a.key, b.key])).toEqual([a.key, b.key].sort());
    await admin.patch(`/products/${id}`, { photos: { remove: [a.key] } });
    await app.db.query("truncate service.changes, service.change_histories");
    await pruneIn(31, stored());
    expect(onDisk(stored(), [a.key, b.key])).toEqual([a.key, b.key]);
    await pruneIn(56, stored());
    expect(onDisk(stored(), [a.key, b.key])).toEqual([b.key]);
    expect((await admin.get(`/products/${id}`)).body).toMatchObject({ photos: [b.key] });
  });

  test("a file of a list cannot be deleted by SQL", async () => {
    const { key } = await photo();
    await product({ photos: [key] });
    await expect(app.db.query("delete from service.uploads where key = $1", [key])).rejects.toThrow(
      /products_photos__target_id__link/,
    );
    await expect(app.db.query("update products set photos = '{none}'")).rejects.toThrow(
      /products_photos__target_id__link/,
    );
  });

  test("pruning keeps the files of records in the trash, which are restored with them", async () => {
    const { client: ada, id: accountId } = await app.caller(null);
    const scans = [
      await uploaded(ada, "letters/scans", "a.png"),
      await uploaded(ada, "letters/scans", "b.png"),
    ];
    const keys = scans.map(({ key }) => key);
    const made = await ada.post<{ id: string }>("/letters", { scans: keys, accountId });
    expect(made.status).toBe(201);
    await ada.delete(`/letters/${made.body.id}`);
    await pruneIn(30, stored());
    await pruneIn(60, stored());
    expect(await known(app.db, keys)).toEqual(keys.toSorted());
    const bob = (await app.caller(null)).client;
    const status = async (caller: Client) =>
      (await caller.send("HEAD", `/_service/files/${keys[1]}`)).status;
    expect([await status(ada), await status(bob)]).toEqual([200, 404]);
    const back = await ada.post(`/letters/${made.body.id}/_restore`, {});
    expect(back.body).toMatchObject({ scans: keys, scansFiles: keys.map((key) => ({ key })) });
  });

  test("private files are shown with signed addresses, and to no other caller", async () => {
    const [ada, bob] = [await app.caller(null), await app.caller(null)];
    const mine = [
      await uploaded(ada.client, "letters/scans", "a.png"),
      await uploaded(ada.client, "letters/scans", "b.png"),
    ];
    const keys = mine.map(({ key }) => key);
    const theirs = await uploaded(bob.client, "letters/scans", "c.png");
    interface Letter {
      readonly id: string;
      readonly scansFiles: readonly FileDetails[];
    }
    const made = await ada.client.post<Letter>("/letters", { scans: keys, accountId: ada.id });
    expect(made.status).toBe(201);
    expect(Object.keys(made.body)).toContain("scansFiles");
    const { body } = await ada.client.get<{ data: Letter[] }>("/letters");
    for (const letter of [made.body, ...body.data]) {
      expect(letter.scansFiles.map(({ key }) => key)).toEqual(keys);
      for (const { url } of letter.scansFiles) {
        expect(url).toMatch(/\?until=\d+&signature=/);
        expect((await download(app.url, url)).status).toBe(200);
        expect((await download(app.url, url.split("?")[0] ?? "")).status).toBe(404);
      }
    }
    const [key] = keys;
    const statusFor = async ({ client }: { client: Client }) =>
      (await client.send("HEAD", `/_service/files/${key}`)).status;
    expect(await statusFor(ada)).toBe(200);
    expect(await statusFor(bob)).toBe(404);
    const patch = (caller: Client, scans: unknown) =>
      issuesOf(caller.patch<Refused>(`/letters/${made.body.id}`, { scans }));
    expect(await patch(ada.client, [key, theirs.key])).toEqual([`scans.1: ${unknown}`]);
    expect(await patch(ada.client, { add: [theirs.key] })).toEqual([`scans.add.0: ${unknown}`]);
    const empty = await bob.client.post<Letter>("/letters", { scans: [], accountId: bob.id });
    expect(empty.body).toMatchObject({ scans: [], scansFiles: [] });
    const steal = { scans: [theirs.key, key], accountId: bob.id };
    expect(await issuesOf(bob.client.post<Refused>("/letters", steal))).toEqual([
      `scans.1: ${unknown}`,
    ]);
    // The record has it already.
    const turned = await ada.client.patch<Letter>(`/letters/${made.body.id}`, {
      scans: keys.toReversed(),
    });
    expect(turned.body.scansFiles.map(({ key }) => key)).toEqual(keys.toReversed());
  });

  test("a repeated response has the same details", async () => {
    const ada = await app.caller(null);
    const scan = await uploaded(ada.client, "letters/scans", "a.png");
    const send = () =>
      ada.client.send<{ scansFiles: FileDetails[] }>("POST", "/letters", {
        text: JSON.stringify({ scans: [scan.key], accountId: ada.id }),
        headers: { "idempotency-key": "galleries-1" },
      });
    const [first, again] = [await send(), await send()];
    expect(again.status).toBe(first.status);
    expect(again.body).toEqual(first.body);
    expect(first.body.scansFiles[0]?.url).toMatch(/signature=/);
  });
});
