import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAccount, newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";

let app: WrittenApp;
let admin: Client;
let clerk: Client;

const seen: unknown[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `changes: { history: 30 }
fields:
  name: { type: string, required: true }
  stock: { type: number, integer: true }
  tagIds: { type: links, resource: tags, inverse: products, maxItems: 1000 }
  relatedIds: { type: links, resource: products, as: related, inverse: relatedBy, maxItems: 3 }
  shelfIds: { type: links, resource: shelves, onDelete: refuse }
  staffIds: { type: links, resource: users, as: people }
  noteIds: { type: links, resource: notes }
`,
      ],
      [
        "tags.yaml",
        "fields: { name: { type: string, required: true, unique: true }, about: { type: text }, position: { type: number } }\n",
      ],
      ["shelves.yaml", "fields: { name: { type: string } }\n"],
      [
        "notes.yaml",
        "owner: accountId\naccess: { read: owner, write: owner }\nfields: { accountId: { type: belongsTo, resource: users, required: true }, text: { type: string } }\n",
      ],
      [
        "menus.yaml",
        "fields: { name: { type: string }, dishIds: { type: links, resource: dishes, required: true, maxItems: 2, inverse: menus } }\n",
      ],
      ["dishes.yaml", "fields: { name: { type: string } }\n"],
      [
        "hooked.yaml",
        "fields: { tagIds: { type: links, resource: tags }, noteIds: { type: links, resource: notes } }\n",
      ],
    ]),
    options: {
      hooks: {
        hooked: {
          beforeUpdate: (values: object) => {
            seen.push(values);
            return values;
          },
        },
      },
    } as never,
  });
  admin = (await app.caller("admin")).client;
  clerk = (await app.caller("clerk")).client;
});
afterAll(() => app?.close());

async function made(path: string, values: object, by = admin): Promise<string> {
  const { status, body } = await by.post<{ id: string }>(path, values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

let names = 0;
function tag(): Promise<string> {
  names += 1;
  return made("/tags", { name: `tag ${names}` });
}

async function tags(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push(await tag());
  return ids;
}

async function entries(record: string): Promise<readonly unknown[]> {
  const rows = await app.db
    .of(null)
    .query<{ target_id: string }>(
      "select target_id from products_tag_ids where record_id = $1 order by position",
      [record],
    );
  return rows.map((row) => row.target_id);
}

describe("writing", () => {
  test("POST, PATCH and PUT set the whole list, in the order given", async () => {
    const [a, b, c] = await tags(3);
    const { status, body, headers } = await admin.post("/products", {
      name: "Tea",
      tagIds: [b, a],
    });
    expect({ status, body }).toMatchObject({ status: 201, body: { tagIds: [b, a] } });
    const path = `/products/${body.id}`;
    expect(await entries(body.id)).toEqual([b, a]);
    expect((await admin.get(path)).body).toEqual(body);
    expect((await admin.get(path)).headers.etag).toBe(headers.etag);
    const patched = await admin.patch(path, { tagIds: [c, b] });
    expect(patched.body).toMatchObject({ name: "Tea", tagIds: [c, b] });
    expect(patched.headers.etag).not.toBe(headers.etag);
    expect(await entries(body.id)).toEqual([c, b]);
    expect((await admin.patch(path, { tagIds: [b, c] })).body).toMatchObject({ tagIds: [b, c] });
    expect(await entries(body.id)).toEqual([b, c]);
    expect((await admin.put(path, { name: "Tea" })).body).toMatchObject({ tagIds: [] });
    expect(await entries(body.id)).toEqual([]);
    const none = await admin.post("/products", { name: "None" });
    expect(none.body).toMatchObject({ tagIds: [], relatedIds: [] });
  });

  test("a PATCH adds and removes: `remove` first, new ids at the end", async () => {
    const [a = "", b, c] = await tags(3);
    const id = await made("/products", { name: "Tea", tagIds: [a, b] });
    const patch = (tagIds: object) => admin.patch(`/products/${id}`, { tagIds });
    expect((await patch({ add: [c, a.toUpperCase()] })).body).toMatchObject({ tagIds: [a, b, c] });
    expect((await patch({ add: [a], remove: [b] })).body).toMatchObject({ tagIds: [a, c] });
    expect((await patch({ remove: [b] })).body).toMatchObject({ tagIds: [a, c] });
    const others = Array.from({ length: 2000 }, () => randomUUID());
    expect((await patch({ remove: [...others, c], add: [b] })).body).toMatchObject({
      tagIds: [a, b],
    });
    expect((await patch({ remove: [b], add: [c] })).body).toMatchObject({ tagIds: [a, c] });
    expect(await entries(id)).toEqual([a, c]);
    expect(await patch({})).toMatchObject({ status: 422 });
    expect(await patch({ add: [b], also: [] })).toMatchObject({ status: 422 });
    const put = await admin.put(`/products/${id}`, { name: "Tea", tagIds: { add: [b] } });
    expect(put).toMatchObject({ status: 422, body: { issues: [{ path: "tagIds" }] } });
    const post = await admin.post("/products", { name: "Tea", tagIds: { add: [b] } });
    expect(post).toMatchObject({ status: 422, body: { issues: [{ path: "tagIds" }] } });
  });

  test("mistakes are reported at their position", async () => {
    const [a, b] = await tags(2);
    const id = await made("/products", { name: "Tea", tagIds: [a] });
    const gone = await tag();
    await admin.delete(`/tags/${gone}`);
    const issues = async (tagIds: unknown) => {
      const { status, body } = await admin.patch(`/products/${id}`, { tagIds });
      expect(status).toBe(422);
      return (body as never as { issues: { path: string }[] }).issues.map(({ path }) => path);
    };
    expect(await issues([a, b, a])).toEqual(["tagIds.2"]);
    expect(await issues([a, "x", 3, null])).toEqual(["tagIds.1", "tagIds.2", "tagIds.3"]);
    expect(await issues(null)).toEqual(["tagIds"]);
    expect(await issues("x")).toEqual(["tagIds"]);
    expect(await issues([a, gone, b, id])).toEqual(["tagIds.1", "tagIds.3"]);
    expect(await issues({ add: [a, gone] })).toEqual(["tagIds.add.1"]);
    expect(await issues({ add: [b, b] })).toEqual(["tagIds.add.1"]);
    expect(await issues({ add: [a, b], remove: [a] })).toEqual(["tagIds.add.0"]);
    expect(await issues({ remove: ["x"] })).toEqual(["tagIds.remove.0"]);
    expect(await issues([a, { toString: null }])).toEqual(["tagIds.1"]);
    expect(await issues({ add: [{ toString: null }] })).toEqual(["tagIds.add.0"]);
    expect(await issues({ add: [b, "x", b], remove: [3, a, a] })).toEqual([
      ...["tagIds.add.1", "tagIds.remove.0", "tagIds.add.2", "tagIds.remove.2"],
    ]);
    expect(await issues({ add: ["x"], remove: ["x"] })).toEqual([
      ...["tagIds.add.0", "tagIds.remove.0"],
    ]);
    const many = Array.from(
      { length: 1001 },
      (_, at) => `019c0e2a-3c5e-7d41-9b1a-${String(at).padStart(12, "0")}`,
    );
    expect(await issues(many)).toEqual(["tagIds"]);
    expect(await issues({ add: many })).toEqual(["tagIds"]);
    expect(await issues({ add: many, remove: ["x"] })).toEqual(["tagIds", "tagIds.remove.0"]);
    // A hundred, and the number of others.
    expect(await issues({ remove: Array.from({ length: 5000 }, () => "x") })).toHaveLength(101);
    expect((await admin.get(`/products/${id}`)).body).toMatchObject({ tagIds: [a] });
  });

  test("`maxItems` and `required` also apply after an addition", async () => {
    const [a, b, c] = [
      await made("/dishes", { name: "a" }),
      await made("/dishes", { name: "b" }),
      await made("/dishes", { name: "c" }),
    ];
    const at = { issues: [{ path: "dishIds" }] };
    expect(await admin.post("/menus", {})).toMatchObject({ status: 422, body: at });
    expect(await admin.post("/menus", { dishIds: [] })).toMatchObject({ status: 422, body: at });
    expect(await admin.post("/menus", { dishIds: [a, b, c] })).toMatchObject({
      status: 422,
      body: at,
    });
    const id = await made("/menus", { dishIds: [a, b] });
    const patch = (dishIds: object) => admin.patch(`/menus/${id}`, { dishIds });
    expect(await patch({ add: [c] })).toMatchObject({ status: 422, body: at });
    expect(await patch({ remove: [a, b] })).toMatchObject({ status: 422, body: at });
    expect(await admin.put(`/menus/${id}`, { name: "x" })).toMatchObject({ status: 422, body: at });
    expect((await patch({ add: [c], remove: [a] })).body).toMatchObject({ dishIds: [b, c] });
    await admin.delete(`/dishes/${b}`);
    await admin.delete(`/dishes/${c}`);
    expect((await admin.get(`/menus/${id}`)).body).toMatchObject({ dishIds: [] });
    expect((await admin.patch(`/menus/${id}`, { name: "x" })).status).toBe(200);
  });

  test("twenty concurrent additions are all kept, with and without hooks", async () => {
    for (const path of ["/products", "/hooked"]) {
      const ids = await tags(20);
      const id = await made(path, path === "/products" ? { name: "Tea" } : {});
      const replies = await Promise.all(
        ids.map((one) => admin.patch(`${path}/${id}`, { tagIds: { add: [one] } })),
      );
      expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
      const { tagIds } = (await admin.get(`${path}/${id}`)).body;
      expect(new Set(tagIds as string[])).toEqual(new Set(ids));
    }
  });

  test("a hook gets the resulting list", async () => {
    const [a, b] = await tags(2);
    const id = await made("/hooked", { tagIds: [a] });
    seen.length = 0;
    await admin.patch(`/hooked/${id}`, { tagIds: { add: [b] } });
    expect(seen).toEqual([{ tagIds: [a, b] }]);
  });

  test("a caller links to records that it may get, and keeps those that are listed", async () => {
    const own = await made("/notes", { text: "own" }, clerk);
    const foreign = await made("/notes", { text: "foreign" }, admin);
    for (const path of ["/products", "/hooked"]) {
      const values = path === "/products" ? { name: "x" } : {};
      const refused = await clerk.post(path, { ...values, noteIds: [own, foreign] });
      expect(refused).toMatchObject({ status: 422, body: { issues: [{ path: "noteIds.1" }] } });
      const id = await made(path, { ...values, noteIds: [own] }, clerk);
      const added = await clerk.patch(`${path}/${id}`, { noteIds: { add: [foreign] } });
      expect(added).toMatchObject({ status: 422, body: { issues: [{ path: "noteIds.add.0" }] } });
      await admin.patch(`${path}/${id}`, { noteIds: [foreign] });
      expect((await clerk.get(`${path}/${id}`)).body).toMatchObject({ noteIds: [foreign] });
      const kept = await clerk.patch(`${path}/${id}`, { noteIds: [own, foreign] });
      expect(kept).toMatchObject({ status: 200, body: { noteIds: [own, foreign] } });
    }
  });

  test("lists of accounts", async () => {
    const { body: me } = await clerk.get<{ user: { id: string } }>("/auth/me");
    const id = await made("/products", { name: "x", staffIds: [me.user.id] }, clerk);
    const { body } = await clerk.get(`/products/${id}?include=people`);
    expect(body).toMatchObject({
      staffIds: [me.user.id],
      people: { data: [{ id: me.user.id }], more: false },
    });
    const found = await clerk.list(
      `/products?where=${json({ people: { some: { id: me.user.id } } })}`,
    );
    expect(found.body.data.map((one) => one.id)).toEqual([id]);
  });

  test("a batch lists records that it creates", async () => {
    const a = await tag();
    const { status, body } = await admin.post<{ data: { id: string; tagIds: string[] }[] }>(
      "/_service/batch",
      {
        operations: [
          { create: "tags", values: { name: "in a batch" } },
          { create: "products", values: { name: "Tea", tagIds: [{ ref: 0 }, a] } },
          { create: "tags", values: { name: "in a batch too" } },
        ],
      },
    );
    expect({ status, body }).toMatchObject({ status: 200 });
    const [one, product, two] = body.data;
    expect(product?.tagIds).toEqual([one?.id, a]);
    const changed = await admin.post<{ data: { tagIds: string[] }[] }>("/_service/batch", {
      operations: [
        { create: "tags", values: { name: "in a third batch" } },
        {
          update: "products",
          id: product?.id,
          values: { tagIds: { add: [{ ref: 0 }, two?.id], remove: [a] } },
        },
      ],
    });
    expect(changed.body).toMatchObject({
      data: [{}, { tagIds: [one?.id, expect.any(String), two?.id] }],
    });
    const wrong = await admin.post("/_service/batch", {
      operations: [{ create: "products", values: { name: "x", tagIds: [{ ref: 3 }] } }],
    });
    expect(wrong).toMatchObject({ status: 400, body: { index: 0 } });
  });
});

function json(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value));
}

describe("reading", () => {
  let a = "";
  let b = "";
  let c = "";
  const ids: string[] = [];

  beforeAll(async () => {
    [a = "", b = "", c = ""] = await tags(3);
    for (const tagIds of [[a], [b, a], [c, b, a], []]) {
      ids.push(await made("/products", { name: "filtered", stock: 7, tagIds }));
    }
  });

  const found = async (query: string) => {
    const { status, body } = await admin.list(
      `/products?filter[name]=filtered&${query}&sort=createdAt`,
    );
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map((one) => ids.indexOf(one.id));
  };

  test("filters", async () => {
    expect(await found(`filter[tagIds]=${a}`)).toEqual([0, 1, 2]);
    expect(await found(`filter[tagIds]=${b.toUpperCase()}`)).toEqual([1, 2]);
    expect(await found(`filter[tagIds][ne]=${b}`)).toEqual([0, 3]);
    expect(await found(`filter[tagIds][in]=${b},${c}`)).toEqual([1, 2]);
    expect(await found(`filter[tagIds][in]=${c},null`)).toEqual([2, 3]);
    expect(await found(`filter[tagIds][nin]=${b},${c}`)).toEqual([0, 3]);
    expect(await found(`filter[tagIds][all]=${a},${b}`)).toEqual([1, 2]);
    expect(await found(`filter[tagIds][all]=${a},${a.toUpperCase()},${c}`)).toEqual([2]);
    expect(await found(`filter[tagIds][all]=${ids[0]}`)).toEqual([]);
    for (const empty of [
      "filter[tagIds]=",
      "filter[tagIds]=null",
      "filter[tagIds][all]=",
      "filter[tagIds][in]=",
    ]) {
      expect(await found(empty)).toEqual([3]);
    }
    expect(await found("filter[tagIds][ne]=")).toEqual([0, 1, 2]);
    for (const wrong of [
      "filter[tagIds]=x",
      "filter[tagIds][gt]=x",
      "sort=tagIds",
      "sort=tags.name",
      "filter[name][all]=x",
    ]) {
      expect(await admin.get(`/products?${wrong}`)).toMatchObject({ status: 400 });
    }
  });

  test("`where` takes the same, and some and none of the linked records", async () => {
    const where = (condition: unknown) => found(`where=${json(condition)}`);
    expect(await where({ tagIds: b })).toEqual([1, 2]);
    expect(await where({ tagIds: null })).toEqual([3]);
    expect(await where({ tagIds: { ne: null } })).toEqual([0, 1, 2]);
    expect(await where({ tagIds: { all: [a, c] } })).toEqual([2]);
    expect(await where({ tagIds: { in: [c, null] } })).toEqual([2, 3]);
    expect(await where({ not: { tagIds: { all: [a, b] } } })).toEqual([0, 3]);
    const name = (await admin.get(`/tags/${b}`)).body.name;
    expect(await where({ tags: { some: { name } } })).toEqual([1, 2]);
    expect(await where({ tags: { none: { name } } })).toEqual([0, 3]);
    expect(await where({ tags: { some: { name }, none: { id: c } } })).toEqual([1]);
    expect(await where({ tags: { some: { products: { some: { tagIds: c } } } } })).toEqual([
      0, 1, 2,
    ]);
    const others = await admin.list(
      `/tags?where=${json({ products: { some: { tagIds: c } } })}&sort=createdAt`,
    );
    expect(others.body.data.map((one) => one.id)).toEqual([a, b, c]);
  });

  test("numbers are narrowed as well", async () => {
    const stats = await admin.get(`/products/_stats?filter[name]=filtered&filter[tagIds]=${b}`);
    expect(stats.body).toMatchObject({ total: 2 });
    const sums = await admin.get(
      `/products/_aggregate?sum=stock&filter[name]=filtered&filter[tagIds][all]=${a},${b}`,
    );
    expect(sums.body).toMatchObject({ data: [{ count: 2, sum: { stock: 14 } }] });
  });

  test("`include` gives the linked records in the order of the list", async () => {
    const { body } = await admin.get(`/products/${ids[2]}?include=tags`);
    const { tags: included } = body as never as { tags: { data: { id: string }[]; more: boolean } };
    expect(included.data.map((one) => one.id)).toEqual([c, b, a]);
    expect(included.more).toBe(false);
    expect(included.data[0]).not.toHaveProperty("about");
    const list = await admin.list(
      `/products?filter[name]=filtered&sort=createdAt&include=tags&include[tags][perPage]=2&include[tags][count]=true&include[tags][fields]=name,position`,
    );
    expect(list.body.data.map(({ tags: one }) => one)).toMatchObject([
      { data: [{ id: a }], more: false, count: 1 },
      { data: [{ id: b }, { id: a }], more: false, count: 2 },
      { data: [{ id: c }, { id: b }], more: true, count: 3 },
      { data: [], more: false, count: 0 },
    ]);
    const sorted = await admin.get(
      `/products/${ids[2]}?include=tags&include[tags][sort]=createdAt&include[tags][where]=${json({ id: { ne: b } })}`,
    );
    expect(sorted.body).toMatchObject({ tags: { data: [{ id: a }, { id: c }], more: false } });
    const inverse = await admin.get(`/tags/${b}?include=products.tags`);
    expect(inverse.body).toMatchObject({
      products: {
        data: [{ id: ids[1], tags: { data: [{ id: b }, { id: a }] } }, { id: ids[2] }],
        more: false,
      },
    });
  });

  test("a list of the resource itself, and its inverse", async () => {
    const one = await made("/products", { name: "self" });
    const two = await made("/products", { name: "self", relatedIds: [one] });
    const both = await admin.patch(`/products/${one}`, { relatedIds: [two, one] });
    expect(both.body).toMatchObject({ relatedIds: [two, one] });
    const { body } = await admin.get(`/products/${one}?include=related,relatedBy`);
    expect(body).toMatchObject({
      related: { data: [{ id: two }, { id: one }] },
      relatedBy: { data: [{ id: one }, { id: two }] },
    });
  });
});

test("groups by the entries of a list: a record counts in the group of each", async () => {
  const [a, b] = (await tags(2)).toSorted();
  for (const tagIds of [[a], [b, a], []]) {
    await made("/products", { name: "grouped", stock: 2, tagIds });
  }
  const { body } = await admin.get(
    "/products/_aggregate?by=tagIds&sum=stock&filter[name]=grouped&include=tags",
  );
  expect(body).toMatchObject({
    data: [
      { by: { tagIds: a, tags: { id: a } }, count: 2, sum: { stock: 4 } },
      { by: { tagIds: b, tags: { id: b } }, count: 1, sum: { stock: 2 } },
      { by: { tagIds: null, tags: null }, count: 1, sum: { stock: 2 } },
    ],
  });
  const stats = await admin.get<{ total: number; current: number }>(
    `/products/_stats?filter[name]=grouped&filter[tagIds]=${a}`,
  );
  expect(stats.body).toMatchObject({ total: 2, current: 2 });
  const where = json({ name: "grouped", tags: { some: { id: b } } });
  expect((await admin.get(`/products/_stats?where=${where}`)).body).toMatchObject({ total: 1 });
  expect(await admin.get("/products/_aggregate?by=tags.name")).toMatchObject({ status: 400 });
  expect(await admin.get("/products/_aggregate?distinct=tagIds")).toMatchObject({ status: 400 });
});

describe("deleting", () => {
  test("a target is removed from the lists, which changes each record", async () => {
    const [a, b] = await tags(2);
    const id = await made("/products", { name: "Tea", tagIds: [a, b] });
    const before = await admin.get(`/products/${id}`);
    expect((await admin.delete(`/tags/${a}`)).status).toBe(204);
    const after = await admin.get(`/products/${id}`);
    expect(after.body).toMatchObject({ tagIds: [b] });
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.body.updatedAt > before.body.updatedAt).toBe(true);
    expect((await admin.delete(`/products/${id}`)).status).toBe(204);
    expect(await entries(id)).toEqual([]);
  });

  test("editing a target moves no entry", async () => {
    const [a, b] = await tags(2);
    const id = await made("/products", { name: "Tea", tagIds: [b, a] });
    const before = await admin.get(`/products/${id}`);
    await admin.patch(`/tags/${a}`, { about: "edited" });
    expect((await admin.get(`/products/${id}`)).headers.etag).toBe(before.headers.etag);
  });

  test("`onDelete: refuse` protects a listed target, and gives the count", async () => {
    const shelf = await made("/shelves", { name: "one" });
    const one = await made("/products", { name: "a", shelfIds: [shelf] });
    const two = await made("/products", { name: "b", shelfIds: [shelf] });
    expect(await admin.delete(`/shelves/${shelf}`)).toMatchObject({
      status: 409,
      body: { error: "2 products still belong to this shelf" },
    });
    await admin.delete(`/products/${one}`);
    await admin.patch(`/products/${two}`, { shelfIds: [] });
    expect((await admin.delete(`/shelves/${shelf}`)).status).toBe(204);
  });

  test("a target that is deleted concurrently is in no list", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = await tags(2);
      const id = await made("/products", { name: "Tea", tagIds: [b] });
      const [patched, deleted] = await Promise.all([
        admin.patch(`/products/${id}`, { tagIds: { add: [a] } }),
        admin.delete(`/tags/${a}`),
      ]);
      expect([200, 422, 503]).toContain(patched.status);
      expect([204, 503]).toContain(deleted.status);
      const { body } = await admin.get(`/products/${id}`);
      expect(body.tagIds).toEqual(await entries(id));
      if (deleted.status === 204) expect(body.tagIds).toEqual([b]);
    }
  });
});

describe("SQL", () => {
  const query = (text: string, values: readonly unknown[] = []) =>
    app.db.of(null).query(text, values);

  test("a change of the entries is a change of the record", async () => {
    const [a, b, c] = await tags(3);
    const id = await made("/products", { name: "Tea", tagIds: [a] });
    const shown = async () => (await admin.get(`/products/${id}`)).body.tagIds;
    const before = await admin.get(`/products/${id}`);
    await query(
      "insert into products_tag_ids (record_id, target_id, position) values ($1, $2, 0), ($1, $3, 9)",
      [id, b, c],
    );
    expect(await shown()).toEqual([b, a, c]);
    expect((await admin.get(`/products/${id}`)).headers.etag).not.toBe(before.headers.etag);
    await query(
      "update products_tag_ids set position = 20 where record_id = $1 and target_id = $2",
      [id, b],
    );
    expect(await shown()).toEqual([a, c, b]);
    await query("delete from products_tag_ids where record_id = $1 and target_id = $2", [id, c]);
    expect(await shown()).toEqual([a, b]);
    await admin.patch(`/products/${id}`, { tagIds: [b, a, c] });
    expect(await entries(id)).toEqual([b, a, c]);
    const history = await admin.get<{
      data: { changes: { field: string; from: unknown; to: unknown }[] }[];
    }>(`/products/${id}/_history`);
    expect(
      history.body.data.map(({ changes }) => changes.find(({ field }) => field === "tagIds")?.to),
    ).toEqual([[b, a, c], [a, b], [a, c, b], [b, a, c], [a]]);
    await expect(query("update products set tag_ids = null where id = $1", [id])).rejects.toThrow();
  });

  test("entries added by two transactions are both kept", async () => {
    const ids = await tags(20);
    const id = await made("/products", { name: "Tea" });
    await Promise.all(
      ids.map((one, at) =>
        query("insert into products_tag_ids (record_id, target_id, position) values ($1, $2, $3)", [
          id,
          one,
          at,
        ]),
      ),
    );
    expect((await admin.get(`/products/${id}`)).body.tagIds).toEqual(ids);
  });
});

describe("changes", () => {
  test("a write of a record and its list is one event and one entry of the history", async () => {
    const [a, b] = await tags(2);
    const id = await made("/products", { name: "Tea", tagIds: [a] });
    const patched = await admin.patch(`/products/${id}`, {
      name: "Green tea",
      tagIds: { add: [b] },
    });
    const history = await admin.get<{
      data: { id: string; op: string; changes: { field: string; from: unknown; to: unknown }[] }[];
    }>(`/products/${id}/_history`);
    expect(history.body.data).toHaveLength(2);
    expect(history.body.data[0]?.changes).toMatchObject([
      { field: "name", from: "Tea", to: "Green tea" },
      { field: "tagIds", from: [a], to: [a, b] },
    ]);
    await admin.delete(`/tags/${b}`);
    const reverted = await admin.post(`/products/${id}/_revert`, { to: history.body.data[1]?.id });
    expect(reverted).toMatchObject({ status: 200, body: { record: { name: "Tea", tagIds: [a] } } });
    expect(patched.status).toBe(200);
    const dead = await admin.post(`/products/${id}/_revert`, { to: history.body.data[0]?.id });
    expect(dead).toMatchObject({ status: 422, body: { issues: [{ path: "tagIds.1" }] } });
  });

  test("a stream sends the list, and follows conditions on it", async () => {
    const [a, b] = await tags(2);
    const id = await made("/products", { name: "Tea", tagIds: [a] });
    const account = await addAccount(app.db, {
      email: "reader@example.com",
      password: "a password of the tests",
      role: null,
      name: "Reader",
    });
    const watch = json({ products: { where: { tagIds: { all: [a, b] } }, fields: ["tagIds"] } });
    const token = await newSession(app.db, account);
    const stream = await openEvents(app.url, token, `/_service/changes?watch=${watch}`);
    try {
      await admin.patch(`/products/${id}`, { tagIds: { add: [b] } });
      let event = await stream.next();
      while (event.data?.id !== id) event = await stream.next();
      expect(event.data.record).toMatchObject({ tagIds: [a, b] });
      // It fulfils the condition from now on.
      expect(event.data.op).toBe("create");
      for (const change of [
        () => admin.patch(`/products/${id}`, { tagIds: [b, a], name: "Green tea" }),
        () =>
          app.db
            .of(null)
            .query("update products_tag_ids set position = 9 where target_id = $1", [b]),
      ]) {
        await change();
        event = await stream.next();
        while (event.data?.id !== id) event = await stream.next();
        expect(event.data).toMatchObject({ op: "update", changed: ["tagIds"] });
      }
      expect(event.data.record).toMatchObject({ tagIds: [a, b] });
      await app.db.of(null).query("delete from products_tag_ids where target_id = $1", [a]);
      event = await stream.next();
      while (event.data?.id !== id) event = await stream.next();
      expect(event.data).toMatchObject({ id, op: "delete" });
    } finally {
      stream.close();
    }
  });
});

test("the routes of an agent and the descriptors know the list", async () => {
  const { body } = await admin.get<{ data: { name: string; fields: { name: string }[] }[] }>(
    "/_service/resources",
  );
  const field = body.data
    .find((one) => one.name === "products")
    ?.fields.find((one) => one.name === "tagIds");
  expect(field).toMatchObject({
    type: "links",
    resource: "tags",
    maxItems: 1000,
    inverse: "products",
    required: false,
  });
});
