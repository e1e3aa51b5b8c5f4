import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let ada: RuledCaller;
let admin: RuledCaller;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "posts.yaml",
        `search:
  language: english
  fields: { title: A, tags: B, moods: C, secrets: A, topic.labels: D, places.name: C, places.aliases: D }
access: { read: signed-in, write: signed-in }
fields:
  title: { type: string }
  tags: { type: string, list: true }
  moods: { type: enum, values: [happy days, sad], list: true }
  secrets: { type: string, list: true, access: { read: [admin] } }
  topicId: { type: belongsTo, resource: topics }
  placeIds: { type: links, resource: places }
`,
      ],
      [
        "places.yaml",
        "fields: { name: { type: string }, aliases: { type: string, list: true } }\n",
      ],
      ["topics.yaml", "fields: { labels: { type: string, list: true } }\n"],
    ]),
  });
  [ada, admin] = (await Promise.all([app.caller(null), app.caller("admin")])) as [
    RuledCaller,
    RuledCaller,
  ];
});
afterAll(() => app.close());

async function made(resource: string, values: object): Promise<string> {
  const reply = await ada.client.post<{ id: string }>(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

async function found(search: string, by: RuledCaller = ada): Promise<readonly string[]> {
  const path = `/posts?search=${encodeURIComponent(search)}`;
  const reply = await by.client.get<{ data: readonly { id: string }[] }>(path);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.map(({ id }) => id);
}

test("the elements of lists are indexed separately", async () => {
  const topicId = await made("topics", { labels: ["Mountain huts", "rivers"] });
  const id = await made("posts", {
    tags: ["green teas", "AB-123"],
    moods: ["happy days"],
    topicId,
  });
  for (const search of ["tea", '"green teas"', "ab123", "happy", "hut river", "green day"]) {
    expect(await found(search), search).toEqual([id]);
  }
  for (const search of ['"teas ab"', '"huts rivers"', '"123 happy"', "sad"]) {
    expect(await found(search), search).toEqual([]);
  }
  await ada.client.patch(`/posts/${id}`, { tags: { add: ["walrus"], remove: ["AB-123"] } });
  expect(await found("walrus")).toEqual([id]);
  expect(await found("ab123")).toEqual([]);
  await ada.client.patch(`/topics/${topicId}`, { labels: [] });
  expect(await found("river")).toEqual([]);
  await ada.client.patch(`/posts/${id}`, { tags: [], moods: [], topicId: null });
  expect(await found("walrus or happy or tea")).toEqual([]);
  await ada.client.delete(`/posts/${id}`);
});

test("the weights, the order and the rights of lists are those of their fields", async () => {
  const first = await made("posts", { tags: ["x", "heron"] });
  const second = await made("posts", { title: "heron", tags: ["a", "b", "c"] });
  const third = await made("posts", { moods: ["sad"], secrets: [] });
  expect(await found("heron")).toEqual([second, first]);
  await admin.client.patch(`/posts/${third}`, { secrets: ["hidden heron"] });
  expect(await found("heron")).toEqual([second, first]);
  expect(await found("hidden", admin)).toEqual([third]);
  expect(await found("sad")).toEqual([third]);
});

test("the records of a list of links are indexed separately", async () => {
  const first = await made("places", { name: "Green hills", aliases: ["Grassland", "The Shire"] });
  const second = await made("places", { name: "Far harbours" });
  const id = await made("posts", { title: "Walks", placeIds: [first, second] });
  for (const search of ["hill", '"green hills"', "harbour grassland", "shire walk"]) {
    expect(await found(search), search).toEqual([id]);
  }
  for (const search of ['"hills far"', '"grassland the"', '"hills grassland"']) {
    expect(await found(search), search).toEqual([]);
  }
  await ada.client.patch(`/places/${second}`, { name: "Near moors", aliases: ["Bog"] });
  expect(await found("harbour")).toEqual([]);
  expect(await found("moor bog")).toEqual([id]);
  await ada.client.patch(`/posts/${id}`, { placeIds: { remove: [second] } });
  expect(await found("moor")).toEqual([]);
  await ada.client.patch(`/posts/${id}`, { placeIds: { add: [second] } });
  expect(await found("moor")).toEqual([id]);
  // Deleting a record removes it from lists.
  await ada.client.delete(`/places/${second}`);
  expect(await found("moor")).toEqual([]);
  expect(await found("hill")).toEqual([id]);
  await app.db.query("delete from posts_place_ids where record_id = $1", [id]);
  expect(await found("hill")).toEqual([]);
});

test("a record in more than 1,000 lists is indexed by the next housekeeping run", async () => {
  const place = await made("places", { name: "Cellar" });
  await app.db.query(
    "insert into posts (title, place_ids) select 'Bottle', array[$1::uuid] from generate_series(1, 1001)",
    [place],
  );
  const path = (word: string) => `/posts?search=${word}&perPage=1`;
  const total = async (word: string) =>
    (await ada.client.get<{ meta: { total: number } }>(path(word))).body.meta.total;
  expect(await total("cellar")).toBe(1_001);
  await ada.client.patch(`/places/${place}`, { name: "Attic" });
  expect(await total("attic")).toBe(0);
  for (let more = true; more; ) {
    const [row] = await app.db.query<{ more: boolean }>(
      "select service.index_changed(500) as more",
    );
    more = row?.more === true;
  }
  expect([await total("attic"), await total("cellar")]).toEqual([1_001, 0]);
});

test("lists are not highlighted", async () => {
  const reply = await ada.client.get("/posts?search=heron&highlight=tags");
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({
    issues: [{ param: "highlight", message: "Must name some of title" }],
  });
});
