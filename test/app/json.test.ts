import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type Client, client, type Row } from "../support/http/client.js";

let app: WrittenApp;
let admin: Client;
const hooked: unknown[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "shops.yaml",
        `trash: true
changes: { history: 30 }
fields:
  name: { type: string }
  address: { type: json, index: true }
  settings: { type: json, default: { days: [1, 2] } }
`,
      ],
      [
        "parts.yaml",
        "fields: { shopId: { type: belongsTo, resource: shops }, data: { type: json, required: true } }\n",
      ],
      [
        "notes.yaml",
        `access:
  list: [{ who: public, where: { data: { at: state, eq: live } } }, admin]
fields:
  data: { type: json }
`,
      ],
      ["hooked.yaml", "fields: { data: { type: json } }\n"],
    ]),
    options: {
      hooks: {
        hooked: {
          beforeCreate: (values: { data: unknown }) => {
            hooked.push(values.data);
            return { data: [values.data, { seen: true }] };
          },
        },
      },
    } as never,
  });
  admin = (await app.caller("admin")).client;
});
afterAll(() => app?.close());

const post = (path: string, text: string) => admin.send<Row>("POST", path, { text });

async function stored(text: string) {
  const reply = await post("/parts", `{"data":${text}}`);
  expect(reply.status).toBe(201);
  return reply.text.replace(/^.*"data":/, "").replace(/,"createdAt".*$/, "");
}

test.each([
  '{"city": "Oslo", "zip": ["0150", 1.5, true, null, {}]}',
  "[]",
  "[[1,2],[3]]",
  '"text, \\"quoted\\""',
  '""',
  "0",
  "false",
  "0.1",
  "9007199254740992",
  "5e-324",
  '{"a":{"ref":0}}',
  '{"add":1}',
])("keeps %s", async (text) => {
  const back = await stored(text);
  expect(JSON.parse(String(back))).toEqual(JSON.parse(text));
});

test("__proto__ is an ordinary key", async () => {
  const back = await stored('{"__proto__":{"x":1},"constructor":2}');
  expect(back).toBe('{"__proto__": {"x": 1}, "constructor": 2}');
});

const number = "Cannot be stored exactly: a number must fit into a double without losing digits";
const twice = "This key is repeated";
const text = "Text must be Unicode without NUL characters";
test.each([
  ["null", [["data", "A value is required"]]],
  ["9007199254740993", [["data", number]]],
  ['{"a":[1,1e400]}', [["data.a.1", number]]],
  ['{"a":{"b":1,"b":1}}', [["data.a.b", twice]]],
  [
    '{"a":"\\u0000","b":["\\ud800"],"\\u0000":1}',
    [
      ["data.a", text],
      ["data.b.0", text],
      ["data.\0", text],
    ],
  ],
  [`${"[".repeat(33)}${"]".repeat(33)}`, [["data", "At most 32 levels"]]],
  [`"${"x".repeat(65_535)}"`, [["data", "At most 65536 bytes"]]],
  [`[${Array(300).fill("1e308").join(",")}]`, [["data", "At most 65536 bytes"]]],
])("refuses %s", async (sent, issues) => {
  const reply = await post("/parts", `{"data":${sent}}`);
  expect(reply).toMatchObject({
    status: 422,
    body: { issues: issues.map(([path, message]) => ({ path, message })) },
  });
});

test("takes 32 levels and 65536 bytes", async () => {
  expect((await post("/parts", `{"data":${"[".repeat(32)}${"]".repeat(32)}}`)).status).toBe(201);
  expect((await post("/parts", `{"data":"${"x".repeat(65_534)}"}`)).status).toBe(201);
  expect((await post("/parts", `{"data":[ ${"1, ".repeat(32_766)}1   ]}`)).status).toBe(201);
});

test("a batch names the operation and the place", async () => {
  const values = '{"create":"parts","values":{"data":{"a":1}}}';
  const wrong = '{"create":"parts","values":{"data":{"a":9007199254740993}}}';
  const body = `{"operations":[${values},${wrong}]}`;
  expect(await post("/_service/batch", body)).toMatchObject({
    status: 422,
    body: { index: 1, issues: [{ index: 1, path: "data.a", message: number }] },
  });
  const good = await post("/_service/batch", `{"operations":[${values},${values}]}`);
  expect(good).toMatchObject({
    status: 200,
    body: { data: [{ data: { a: 1 } }, { data: { a: 1 } }] },
  });
});

test("PATCH sets the whole value, PUT clears it, and the default fills it", async () => {
  const { body: made } = await admin.post("/shops", { address: { city: "Oslo", zip: "0150" } });
  expect(made).toMatchObject({ settings: { days: [1, 2] } });
  const patched = await admin.patch(`/shops/${made.id}`, { address: { city: "Bergen" } });
  expect(patched.body).toMatchObject({ address: { city: "Bergen" } });
  const put = await admin.put(`/shops/${made.id}`, { name: "A" });
  expect(put.body).toMatchObject({ name: "A", address: null, settings: null });
  const several = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      admin.post("/shops", { address: ["twenty", at, null, { x: `${at}` }] }),
    ),
  );
  expect(several.map(({ body }) => body.address)).toEqual(
    Array.from({ length: 20 }, (_, at) => ["twenty", at, null, { x: `${at}` }]),
  );
});

const where = (value: unknown) => `where=${encodeURIComponent(JSON.stringify(value))}`;

test("where reaches into values", async () => {
  const addresses = [
    { city: "Oslo", floor: 3, open: true, lines: [{ name: "A" }, { name: "Ål" }], "-1": "minus" },
    { city: "oslo", floor: 10, open: false, tags: ["x", "y"] },
    { city: "Bergen", floor: "3" },
    { floor: null },
    ["a", "b"],
    "Oslo",
    null,
  ];
  const ids: string[] = [];
  for (const [at, address] of addresses.entries()) {
    ids.push((await admin.post("/shops", { name: `w${at}`, address })).body.id as string);
  }
  const found = async (condition: unknown) => {
    const { status, body } = await admin.list(
      `/shops?sort=name&${where({ name: { starts: "w" }, address: condition })}`,
    );
    return status === 200 ? body.data.map(({ id }) => ids.indexOf(id as string)) : status;
  };
  expect(await found({ has: { city: "Oslo" } })).toEqual([0]);
  expect(await found({ has: { lines: [{ name: "Ål" }] } })).toEqual([0]);
  expect(await found({ has: "a" })).toEqual([4]);
  expect(await found(null)).toEqual([6]);
  expect(await found({ at: "city", eq: "Oslo" })).toEqual([0]);
  expect(await found({ at: "city", ne: "Oslo" })).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await found({ at: "city", in: ["Oslo", "Bergen"] })).toEqual([0, 2]);
  expect(await found({ at: "city", in: ["Oslo", null] })).toEqual([0, 3, 4, 5, 6]);
  expect(await found({ at: "city", nin: ["Oslo", null] })).toEqual([1, 2]);
  expect(await found({ at: "city", eq: null })).toEqual([3, 4, 5, 6]);
  expect(await found({ at: "city", ne: null })).toEqual([0, 1, 2]);
  expect(await found({ at: "city", contains: "SLO" })).toEqual([0, 1]);
  expect(await found({ at: "city", starts: "b" })).toEqual([2]);
  expect(await found({ at: "city", gte: "b", lt: "o" })).toEqual([2]);
  expect(await found({ at: "floor", gt: 2 })).toEqual([0, 1]);
  expect(await found({ at: "floor", gt: "2" })).toEqual([2]);
  expect(await found({ at: "floor", eq: 3 })).toEqual([0]);
  expect(await found({ at: "floor", eq: 3.0 })).toEqual([0]);
  expect(await found({ at: "open", eq: false })).toEqual([1]);
  expect(await found({ at: "lines.1.name", eq: "Ål" })).toEqual([0]);
  expect(await found({ at: "lines.1.name", ends: "al" })).toEqual([0]);
  expect(await found({ at: "1", eq: "b" })).toEqual([4]);
  expect(await found({ at: "-1", eq: "minus" })).toEqual([0]);
  expect(await found({ at: "-1", eq: "b" })).toEqual([]);
  expect(await found({ has: { open: true }, at: "floor", lte: 3 })).toEqual([0]);
  for (const wrong of [
    "Oslo",
    {},
    [],
    { eq: 1 },
    { ne: null },
    { at: "a" },
    { at: "", eq: 1 },
    { at: "a.b.c.d.e.f.g.h.i", eq: 1 },
    { at: 1, eq: 1 },
    { at: "a", eq: {} },
    { at: "a", eq: "\0" },
    { at: "a\0", eq: 1 },
    { at: "a", same: "x" },
    { at: "a", is: "x" },
    { at: "a", gt: null },
    { at: "a", gt: true },
    { at: "a", contains: "" },
    { at: "a", contains: 1 },
    { at: "a", in: [] },
    { has: null },
    { has: "\ud800" },
  ]) {
    expect([wrong, await found(wrong)]).toEqual([wrong, 400]);
  }
  await admin.post("/parts", { shopId: ids[0], data: 1 });
  const parts = await admin.list(
    `/parts?${where({ shop: { address: { at: "city", eq: "Oslo" } } })}`,
  );
  expect(parts.body.data).toHaveLength(1);
});

test("a number in where that a double would change is refused at its place", async () => {
  await admin.post("/shops", { name: "n1", address: { n: 9007199254740992 } });
  const isAbout = (condition: string) => `{"name":{"starts":"n"},"address":${condition}}`;
  const found = async (condition: string) => {
    const inQuery = await admin.list(`/shops?where=${encodeURIComponent(isAbout(condition))}`);
    const text = `{"where":${isAbout(condition)}}`;
    const inBody = await admin.send<typeof inQuery.body>("POST", "/shops/_query", { text });
    const counted = await admin.send("POST", "/shops/_aggregate", { text });
    expect(inBody.body).toEqual(inQuery.body);
    expect(counted.status).toBe(inQuery.status);
    const { issues } = inQuery.body as never as { issues?: readonly { message: string }[] };
    return issues?.map(({ message }) => message) ?? inQuery.body.data.length;
  };
  expect(await found('{"at":"n","eq":9007199254740992}')).toBe(1);
  expect(await found('{"at":"n","eq":9.007199254740992e15}')).toBe(1);
  expect(await found('{"has":{"n":9007199254740992.00}}')).toBe(1);
  const message = "must fit into a double without losing digits";
  for (const [condition, place] of [
    ['{"at":"n","eq":9007199254740993}', "address.eq"],
    ['{"at":"n","lt":9007199254740993}', "address.lt"],
    ['{"at":"n","gte":0.10000000000000001}', "address.gte"],
    ['{"at":"n","in":[1,9007199254740993]}', "address.in.1"],
    ['{"has":{"n":[{"m":9007199254740993}]}}', "address.has.n.0.m"],
    ['{"has":9007199254740993}', "address.has"],
    ['{"at":"n","lt":1e400}', "address.lt"],
  ] as const) {
    expect(await found(condition)).toEqual([`${place} ${message}`]);
  }
  // A field for numbers has doubles.
  const nested = `[{"not":{"address":{"at":"n","eq":9007199254740993}}}]`;
  const any = await admin.list(`/shops?where=${encodeURIComponent(`{"or":${nested}}`)}`);
  expect(any.body).toMatchObject({ issues: [{ message: `or.0.not.address.eq ${message}` }] });
});

test.each([
  "filter[address]=x",
  "filter[address]=",
  "filter[address][ne]=",
  "filter[address][has]=x",
  "sort=address",
])("%s is 400", async (query) => {
  expect((await admin.list(`/shops?${query}`)).status).toBe(400);
});

test.each(["by=address", "distinct=address", "sum=address", "max=address"])(
  "_aggregate?%s is 400",
  async (query) => {
    expect((await admin.get(`/shops/_aggregate?${query}`)).status).toBe(400);
  },
);

test("a condition decides who sees the record", async () => {
  const live = (await admin.post("/notes", { data: { state: "live" } })).body.id;
  await admin.post("/notes", { data: { state: "draft" } });
  await admin.post("/notes", { data: "live" });
  const seen = await client(app.url, null).list("/notes");
  expect(seen.body.data.map(({ id }) => id)).toEqual([live]);
});

test("hooks get and return values", async () => {
  const made = await admin.post("/hooked", { data: { a: "1" } });
  expect(hooked).toEqual([{ a: "1" }]);
  expect(made).toMatchObject({ status: 201, body: { data: [{ a: "1" }, { seen: true }] } });
});

test("history, reverting and the trash keep values", async () => {
  const { body: made } = await admin.post("/shops", { address: "text", settings: { a: [1] } });
  await admin.patch(`/shops/${made.id}`, { address: { city: "Oslo" } });
  const history = await admin.list(`/shops/${made.id}/_history`);
  expect(history.body.data[0]).toMatchObject({
    changes: [{ field: "address", from: "text", to: { city: "Oslo" } }],
  });
  const first = history.body.data[1]?.id;
  const reverted = await admin.post(`/shops/${made.id}/_revert`, { to: first });
  expect(reverted).toMatchObject({ status: 200, body: { record: { address: "text" } } });
  await admin.patch(`/shops/${made.id}`, { address: "null" });
  await admin.delete(`/shops/${made.id}`);
  expect((await admin.get(`/shops/${made.id}?trash=only`)).body).toMatchObject({ address: "null" });
  expect(await admin.post(`/shops/${made.id}/_restore`, undefined)).toMatchObject({
    status: 200,
    body: { address: "null", settings: { a: [1] } },
  });
});
