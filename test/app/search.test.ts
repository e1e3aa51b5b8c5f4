import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Json } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

const languages = ["norwegian", "danish", "swedish", "finnish", "german", "english", "spanish"];

let app: WrittenApp;
let ada: RuledCaller;
let admin: RuledCaller;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "goods.yaml",
        `search: { language: english, fields: { name: A, description: B, kind: C, note: A } }
access: { read: signed-in, write: signed-in }
fields:
  name: { type: string, required: true }
  description: { type: text }
  kind: { type: enum, values: [tea leaves, coffee beans] }
  note: { type: text, access: { read: [admin] } }
  price: { type: number }
`,
      ],
      [
        "letters.yaml",
        `search: { language: language, fields: { body: A }, accents: ignore }
fields:
  language: { type: enum, values: [${[...languages, "arabic", "simple"].join(", ")}] }
  body: { type: text }
`,
      ],
      [
        "diaries.yaml",
        `search: { fields: { body: A } }
owner: accountId
access: { read: owner, write: owner }
fields:
  accountId: { type: belongsTo, resource: users, required: true, onDelete: cascade }
  body: { type: text }
  mood: { type: enum, values: [good, bad] }
`,
      ],
      ["plain.yaml", "fields: { name: { type: string } }\n"],
    ]),
  });
  [ada, admin] = (await Promise.all([app.caller(null), app.caller("admin")])) as [
    RuledCaller,
    RuledCaller,
  ];
});
afterAll(() => app.close());

async function made(resource: string, values: object, by: Client = ada.client): Promise<string> {
  const reply = await by.post<{ id: string }>(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

interface List {
  readonly data: readonly Readonly<Record<string, Json>>[];
  readonly meta: Readonly<Record<string, Json>>;
}

async function found(
  resource: string,
  search: string,
  { by = ada.client, more = "" }: { readonly by?: Client; readonly more?: string } = {},
): Promise<List> {
  const reply = await by.get<List>(`/${resource}?search=${encodeURIComponent(search)}${more}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function names(search: string, by: Client = ada.client): Promise<readonly Json[]> {
  return (await found("goods", search, { by })).data.map(({ name = null }) => name);
}

describe("words", () => {
  beforeAll(async () => {
    await made("goods", { name: "AB-123", description: "A green tea from the universities" });
    await made("goods", {
      name: "foo.png",
      description: "The Who: on and once",
      kind: "tea leaves",
    });
    await made("goods", {
      name: "Coffee",
      description: "not a t-shirt; beer",
      note: "hidden secret",
    });
  });

  test.each([
    ["AB-123", ["AB-123"]],
    ["AB 123", ["AB-123"]],
    ["AB123", ["AB-123"]],
    ["ab12", ["AB-123"]],
    ["foo", ["foo.png"]],
    ["png", ["foo.png"]],
    ["the who", ["foo.png"]],
    ["on", ["foo.png"]],
    ["T-SHIRT", ["Coffee"]],
    ["university", ["AB-123"]],
    ["universit", ["AB-123"]],
    ["universiti", ["AB-123"]],
    ['"university"', []],
    ['"universities"', ["AB-123"]],
    ['"green tea"', ["AB-123"]],
    ['"tea green"', []],
    ["bee ", []],
    ["bee", ["Coffee"]],
    ["b", []],
    ["green or coffee", ["Coffee", "AB-123"]],
    ["tea -green", ["foo.png"]],
    ['tea -"green tea"', ["foo.png"]],
    ["leaves", ["foo.png"]],
    ["!!!", []],
    ["tea !!!", ["AB-123", "foo.png"]],
    ['"', []],
    ["\u{1f600}", []],
    ["or", []],
  ])("%j finds %j", async (search, expected) => {
    expect([...(await names(search))].sort()).toEqual([...expected].sort());
  });

  test("a blank search counts as not sent", async () => {
    expect((await found("goods", "  \t")).meta.total).toBe(3);
  });

  test("no content is refused, but more than 200 characters are", async () => {
    for (const search of ["& | ! ( ) : * < > ' \\ ".repeat(9), "-".repeat(200), '"'.repeat(200)]) {
      const { data } = await found("goods", search.slice(0, 200));
      expect(data).toEqual([]);
    }
    const half = await ada.client.post<List>("/goods/_query", { search: "tea \ud83d" });
    expect(half.status, half.text).toBe(200);
    const nul = await ada.client.post<List>("/goods/_query", { search: "green\0tea" });
    expect(nul.body.data.map(({ name }) => name)).toEqual(["AB-123"]);
    const long = await ada.client.get(`/goods?search=${"a".repeat(201)}`);
    expect(long.status).toBe(400);
    expect(long.body).toMatchObject({
      issues: [{ param: "search", message: "At most 200 characters" }],
    });
    const number = await ada.client.post("/goods/_query", { search: 5 });
    expect(number.status).toBe(400);
  });

  test("fields that the caller may not read are not searched", async () => {
    expect(await names("secret")).toEqual([]);
    expect(await names("-secret tea")).toHaveLength(2);
    expect(await names("secret", admin.client)).toEqual(["Coffee"]);
    expect(await names("coffee secret", admin.client)).toEqual(["Coffee"]);
    expect(await names('"coffee hidden"', admin.client)).toEqual([]);
  });

  test("a search with a cursor, or without words in the resource, is refused", async () => {
    const cursor = await ada.client.get("/goods?search=tea&cursor=");
    expect(cursor.status).toBe(400);
    expect(cursor.body).toMatchObject({ issues: [{ param: "cursor" }] });
    const plain = await ada.client.get("/plain?search=tea");
    expect(plain.status).toBe(400);
    expect(plain.body).toMatchObject({
      issues: [{ param: "search", message: "Unknown parameter" }],
    });
  });

  test("a list, its statistics and aggregates count the same records", async () => {
    const listed = await found("goods", "tea", { more: "&sort=name&fields=name" });
    expect(listed).toEqual({
      data: [
        { id: expect.any(String), name: "AB-123" },
        { id: expect.any(String), name: "foo.png" },
      ],
      meta: { page: 1, perPage: 25, total: 2, totalPages: 1 },
    });
    const stats = await ada.client.get("/goods/_stats?search=tea&field=kind");
    expect(stats.body).toMatchObject({ total: 2, values: { "tea leaves": 1, "coffee beans": 0 } });
    const grouped = await ada.client.get("/goods/_aggregate?search=tea&by=kind");
    expect(grouped.body).toMatchObject({ data: [{ count: 1 }, { count: 1 }] });
    const posted = await ada.client.post("/goods/_aggregate", { search: "tea" });
    expect(posted.body).toMatchObject({ data: [{ count: 2 }] });
  });
});

describe("the order", () => {
  test("exact words precede stems, stems precede prefixes, then rank and age decide", async () => {
    const add = (name: string, description: string | null = null) =>
      made("goods", { name, description });
    const prefix = await add("runningboard");
    const stem = await add("runs");
    const inText = await add("zebra", "running");
    const first = await add("running");
    const second = await add("running");
    const { data, meta } = await found("goods", "running");
    expect(data.map(({ id }) => id)).toEqual([second, first, inText, stem, prefix]);
    expect(meta).toEqual({ page: 1, perPage: 25, total: 5, totalPages: 1 });
    const page = await found("goods", "running", { more: "&perPage=2&page=2" });
    expect(page.data.map(({ id }) => id)).toEqual([inText, stem]);
    expect(page.meta).toEqual({ page: 2, perPage: 2, total: 5, totalPages: 3 });
    const filtered = await found("goods", "running", { more: "&filter[name]=running" });
    expect(filtered.data.map(({ id }) => id)).toEqual([second, first]);
  });

  test("changes take effect at once", async () => {
    const id = await made("goods", { name: "walrus" });
    expect(await names("walrus")).toEqual(["walrus"]);
    await ada.client.patch(`/goods/${id}`, { name: "narwhal" });
    expect(await names("walrus")).toEqual([]);
    expect(await names("narwhals")).toEqual(["narwhal"]);
    await ada.client.delete(`/goods/${id}`);
    expect(await names("narwhal")).toEqual([]);
  });
});

test("owners find only their own records", async () => {
  const bob = await app.caller(null);
  const mine = await made("diaries", { body: "dear diary", mood: "good" });
  await made("diaries", { body: "dear diary", mood: "bad" }, bob?.client);
  const { data, meta } = await found("diaries", "diary");
  expect(data.map(({ id }) => id)).toEqual([mine]);
  expect(meta.total).toBe(1);
  expect((await found("diaries", "diary", { more: "&filter[mood]=bad" })).data).toEqual([]);
});

/** By language: a text, what finds it, and what does not. */
const texts: Readonly<Record<string, readonly [string, readonly string[], readonly string[]]>> = {
  norwegian: [
    "Båtene på fjorden, café og blåbær",
    ["båt", "båten", "cafe", "blåbær"],
    ["blabær", "bat"],
  ],
  danish: ["Hundene løber i skoven", ["hund", "hunden", "løber"], ["lober"]],
  swedish: ["Flickorna åkte till sjön", ["flicka", "åkte", "sjö"], ["akte"]],
  finnish: ["Taloissa on lämmintä", ["talo", "talossa", "lämmintä"], ["lammintä"]],
  german: ["Die Häuser stehen in der Straße", ["haus", "häuser", "strasse", "hauser"], ["wohnung"]],
  english: ["Running through the fields naïvely", ["run", "field", "naive"], ["ran"]],
  spanish: ["Los niños comían canción", ["niño", "cancion", "canciones"], ["nino"]],
  arabic: ["الكتاب في المكتبة", ["كتاب", "المكتبة"], ["قلم"]],
  simple: ["Ünïcode ﬁnance Wörter", ["unicode", "finance", "worter"], ["wort "]],
};

test.each(Object.entries(texts))("%s", async (language, [body, hits, misses]) => {
  const id = await made("letters", { language, body });
  const ids = async (search: string) => (await found("letters", search)).data.map((one) => one.id);
  for (const search of hits) expect(await ids(search), search).toContain(id);
  for (const search of misses) expect(await ids(search), search).not.toContain(id);
});

test("a record without a language has plain words", async () => {
  const id = await made("letters", { body: "Hundene" });
  const ids = async (search: string) => (await found("letters", search)).data.map((one) => one.id);
  expect(await ids("hundene")).toContain(id);
  expect(await ids("hunden ")).not.toContain(id);
});

test("long texts and words are stored, and found by their beginning", async () => {
  const words = Array.from({ length: 9_000 }, (_, at) => `w${at.toString(36)}ord`).join(" ");
  const body = `beginning ${"x".repeat(3_000)} ${words}`.slice(0, 100_000);
  const id = await made("letters", { language: "english", body });
  for (const search of ["beginning", "x".repeat(200)]) {
    expect((await found("letters", search)).data.map((one) => one.id)).toEqual([id]);
  }
});

test("a long text in a language that no longer exists is found by its exact words", async () => {
  const id = await made("letters", { language: "english", body: "Running" });
  const [{ name = "" } = {}] = await app.db.query<{ name: string }>(
    `select conname as name from pg_constraint
     where conrelid = 'letters'::regclass and pg_get_constraintdef(oid) like '%norwegian%'`,
  );
  await app.db.query(`alter table letters drop constraint ${name}`);
  const body = `Klingonene ${"word ".repeat(19_990)}`.slice(0, 100_000);
  await app.db.query("update letters set language = 'klingon', body = $2 where id = $1", [
    id,
    body,
  ]);
  const ids = async (search: string) => (await found("letters", search)).data.map((one) => one.id);
  expect(await ids("klingonene")).toEqual([id]);
  expect(await ids("klingonen ")).toEqual([]);
  expect(await ids("running")).not.toContain(id);
  const { meta } = await found("letters", "klingonene", { more: "&highlight=body" });
  expect(meta.highlights).toMatchObject({
    [id]: { body: expect.stringMatching(/^<mark>Klingonene<\/mark> word/) },
  });
});
