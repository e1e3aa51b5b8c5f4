import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import { blocksOf, page } from "./pages.js";

const blocks = blocksOf(page("docs/modelling"));
const descriptors = blocks.flatMap(({ language, text }): (readonly [string, string])[] => {
  const [, file = ""] = /^# resources\/(.+)\n/.exec(text) ?? [];
  return language === "yaml" ? [[file, text]] : [];
});
const requests = blocks
  .filter(({ language }) => language === "http")
  .flatMap(({ heading, text }) =>
    text
      .trim()
      .split("\n")
      .map((line) => [heading, line] as const),
  );

let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  const named = "fields: { name: { type: string } }\n";
  const others = ["categories", "orders", "tags", "students", "courses", "people", "teams"];
  app = await startWrittenApp({
    descriptors: new Map([
      ...others.map((name): [string, string] => [`${name}.yaml`, named]),
      ...descriptors,
    ]),
  });
  admin = (await app.caller("admin")).client;
});
afterAll(() => app?.close());

test("each of the ten models has a descriptor and requests", () => {
  expect(new Set(requests.map(([heading]) => heading)).size).toBe(10);
  expect(descriptors.map(([file]) => file)).not.toContain("");
  expect(descriptors).toHaveLength(11);
});

test.each(requests)("%s: %s", async (_, request) => {
  const { status, body } = await admin.get(request.replace(/^GET /, ""));
  expect({ status, body }).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
});

test("the requests find what the sentences say", async () => {
  const made = async (path: string, values: object) => {
    const { status, body } = await admin.post<{ id: string }>(path, values);
    expect({ path, status, body }).toMatchObject({ status: 201 });
    return body.id;
  };
  const tag = await made("/tags", { name: "Tea" });
  const article = await made("/articles", { title: "Green", tagIds: [tag] });
  await made("/articles", { title: "Black" });
  const tagged = await admin.list('/articles?where={"tags":{"some":{"name":"Tea"}}}');
  expect(tagged.body.data).toMatchObject([{ id: article }]);
  const [student, course] = [await made("/students", {}), await made("/courses", { name: "SQL" })];
  await made("/enrolments", {
    studentId: student,
    courseId: course,
    since: "2026-01-01",
    grade: 5,
  });
  const good = await admin.list('/courses?where={"enrolments":{"some":{"grade":{"gte":5}}}}');
  expect(good.body.data).toMatchObject([{ id: course }]);
  const again = { studentId: student, courseId: course, since: "2026-02-01" };
  expect(await admin.post("/enrolments", again)).toMatchObject({ status: 422 });
  const folder = await made("/folders", { name: "top" });
  await made("/folders", { name: "inner", parentId: folder });
  expect((await admin.list("/folders?filter[parentId]=")).body.data).toMatchObject([
    { id: folder },
  ]);
  await made("/items", { price: 50.25, quantity: 3 });
  expect((await admin.list("/items?filter[total][gte]=100")).body.data).toMatchObject([
    { total: 150.75 },
  ]);
  await made("/books", { title: "A", languages: ["no", "pl"], address: { city: "Oslo" } });
  for (const query of [
    "filter[languages][hasAny]=en,no",
    'where={"address":{"at":"city","eq":"Oslo"}}',
  ]) {
    expect((await admin.list(`/books?${query}`)).body.data).toMatchObject([{ title: "A" }]);
  }
});
