import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selectForFile } from "../../runtime/resource/index.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { unusualSql } from "../support/adopt/unusual-rows.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, unusualSql);
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

const fields = [
  ...["name", "code", "weight", "height", "price", "big", "small", "born", "seenAt", "state"],
  ...["mood", "parent", "createdAt", "updatedAt", "id"],
];
const ids = ["1", "2", "3", "4", "5", "6"];

/** A query of the table that is answered. */
async function answered<Body = { readonly data: readonly Row[] }>(path: string): Promise<Body> {
  const { status, text, body } = await admin.get<Body>(path);
  expect({ path, status, text: status === 200 ? "" : text }).toEqual({
    path,
    status: 200,
    text: "",
  });
  return body;
}

async function idsIn(query: string): Promise<readonly string[]> {
  const { data } = await answered(`/odds?perPage=100&${query}`);
  return data.map(({ id }) => id);
}

test("values that no field could have are shown as PostgreSQL writes them in JSON", async () => {
  const { data } = await answered("/odds?sort=id");
  const shown = (key: string) => data.map((row) => row[key]);
  expect(shown("name")).toEqual(["", "a\u0007", " padded ", "é".repeat(200), "usual", "same"]);
  expect(shown("code")).toEqual(["ab", "", "x", null, "usual", "usual"]);
  expect(shown("weight")).toEqual(["NaN", "Infinity", 3.4e38, 3.4e38, 0.1, 1e-40]);
  expect(shown("height")).toEqual(["NaN", "-Infinity", 1.7e308, 1.7e308, 0.1, 5e-324]);
  expect(shown("price")).toEqual(["NaN", 1.5, -999999.99, null, 0.1, 0]);
  expect(shown("big")).toEqual(["9223372036854775807", "-9007199254740993", 0, 5, 1, 1]);
  expect(shown("born")).toEqual([
    ...["infinity", "-infinity", "0044-03-15 BC", "12022-01-01", "2020-02-29", "2020-02-29"],
  ]);
  expect(shown("seenAt")).toEqual([
    "infinity",
    "-infinity",
    expect.stringMatching(/^0044-03-15T12:00:00.* BC$/),
    expect.stringMatching(/^12022-01-01T00:00:00\.000001/),
    "2020-02-29T12:00:00.999Z",
    "2020-02-29T12:00:00.999Z",
  ]);
  expect(shown("state")).toEqual(["gone", "", "live", "draft", "live", "gone"]);
  expect(shown("createdAt").slice(0, 3)).toEqual(["infinity", null, "2020-01-01T00:00:00.123Z"]);
});

test("records are read one by one, in parts, with their links, and by app code", async () => {
  for (const id of ids) {
    await answered(`/odds/${id}`);
    await answered(`/odds/${id}?include=parentRecord,odds&fields=id,name:3,code:2`);
  }
  const several = await admin.get("/odds?include=parent&etags=true&highlight=true&q=usual");
  expect(several.status, several.text).toBeLessThan(500);
});

test("lists are sorted by every field in both directions, in pages and by cursors", async () => {
  for (const sort of fields.flatMap((field) => [field, `-${field}`, `parentRecord.${field}`])) {
    expect((await idsIn(`sort=${sort}`)).toSorted()).toEqual(ids);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null && seen.length < 20; ) {
      const page: { data: readonly Row[]; meta: { next: string | null } } = await answered(
        `/odds?perPage=2&sort=${sort}&cursor=${encodeURIComponent(cursor)}`,
      );
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.meta.next;
    }
    expect([sort, seen]).toEqual([sort, await idsIn(`sort=${sort}`)]);
  }
});

test("no value of a filter is an error of the server, and those beyond a column find nothing", async () => {
  const values = [
    ...["", "0", "1", "0.5", "-1", "1e300", "-1e300", "1e-300", "-1e-300", "3.5e38", "32768"],
    ...["2147483648", "9223372036854775807", "9223372036854775808", "1e400", "NaN", "infinity"],
    ...[
      "0001-01-01",
      "9999-12-31",
      "9999-12-31T23:59:59.999Z",
      "live",
      "gone",
      "ok",
      "é",
      "x".repeat(300),
    ],
  ].map(encodeURIComponent);
  const operators = ["", "[ne]", "[gt]", "[gte]", "[lt]", "[lte]", "[in]", "[nin]", "[contains]"];
  for (const field of fields) {
    for (const operator of operators) {
      for (const value of values) {
        const path = `/odds?filter[${field}]${operator}=${value}`;
        const { status, text } = await admin.get(path);
        expect([path, [200, 400].includes(status), text.slice(0, 200)]).toEqual([
          path,
          true,
          expect.anything(),
        ]);
      }
    }
  }
});

test("comparisons are those of the columns", async () => {
  const found = async (query: string) => (await idsIn(query)).toSorted();
  expect(await found("filter[weight]=0.1")).toEqual(["5"]);
  expect(await found("filter[weight]=1e300")).toEqual([]);
  expect(await found("filter[weight][in]=1e300,0.1")).toEqual(["5"]);
  expect(await found("filter[weight][gt]=1e300")).toEqual(["1", "2"]);
  expect(await found("filter[weight][lte]=1e300")).toEqual(["3", "4", "5", "6"]);
  expect(await found("filter[weight][gte]=-1e300")).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(await found("filter[weight][lt]=-1e300")).toEqual([]);
  expect(await found("filter[weight][gt]=1e-300")).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(await found("filter[weight][gt]=-1e-300")).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(await found("filter[small][gt]=32767")).toEqual([]);
  expect(await found("filter[code]=x")).toEqual(["3"]);
  expect(await found("filter[code][contains]=sua")).toEqual(["5", "6"]);
  expect(await found("filter[seenAt]=2020-02-29T12:00:00.999Z")).toEqual([]);
  expect(await found("filter[seenAt][gte]=2020-02-29T12:00:00.999Z")).toEqual(["1", "4", "5", "6"]);
  expect(await found("q=padded")).toEqual(["3"]);
});

test("groups, totals and statistics are valid JSON for every field", async () => {
  const grouped = fields.filter((field) => !["weight", "height", "price", "id"].includes(field));
  for (const field of grouped) {
    const { status, text, body } = await admin.get(`/odds/_aggregate?by=${field}`);
    expect([field, [200, 400].includes(status), body]).toEqual([field, true, expect.anything()]);
    expect(() => JSON.parse(text)).not.toThrow();
  }
  for (const unit of ["day", "week", "month", "year"]) {
    for (const field of ["born", "seenAt", "createdAt"]) {
      const { status, text } = await admin.get(
        `/odds/_aggregate?by=${field}:${unit}&timezone=Asia/Tokyo`,
      );
      expect([field, unit, status, () => JSON.parse(text)]).toMatchObject([field, unit, 200, {}]);
    }
  }
  const numbers = "weight,height,price,big,small";
  const { data } = await answered<{ data: readonly Record<string, Record<string, unknown>>[] }>(
    `/odds/_aggregate?sum=${numbers}&avg=${numbers}&min=${numbers},born,seenAt&max=${numbers},born,seenAt&distinct=name,code,state`,
  );
  expect(data[0]).toMatchObject({
    sum: { weight: "NaN", height: "NaN", price: "NaN" },
    avg: { weight: "NaN", height: "NaN", price: "NaN" },
    max: { weight: "NaN", big: "9223372036854775807", born: "infinity", seenAt: "infinity" },
    min: { height: "-Infinity", big: "-9007199254740993", born: "-infinity", seenAt: "-infinity" },
  });
  const where = encodeURIComponent('{"weight":{"gt":1,"lte":3.4e38}}');
  const large = await answered<{ data: readonly { sum: { weight: number } }[] }>(
    `/odds/_aggregate?sum=weight&where=${where}`,
  );
  expect(large.data[0]?.sum.weight).toBeCloseTo(6.8e38, -37);
  for (const query of [
    "",
    "at=born&series=month",
    "at=seenAt&series=day",
    "series=week",
    "field=state",
  ]) {
    await answered(`/odds/_stats?${query}`);
  }
});

test("a record with such values is changed, and keeps them where they are not sent", async () => {
  for (const id of ids) {
    const before = await answered<Row>(`/odds/${id}`);
    const { status, text, body } = await admin.patch<Row>(`/odds/${id}`, {
      small: 3,
      state: "live",
    });
    expect([id, status, text]).toEqual([id, 200, text]);
    const { small: _, state: _state, updatedAt: _at, ...kept } = before;
    expect(body).toMatchObject(kept);
  }
  for (const field of ["weight", "height", "price", "big"]) {
    const { status, text } = await admin.patch("/odds/1", { [field]: { add: 1 } });
    expect([field, status < 500, text]).toEqual([field, true, text]);
    expect((await admin.patch("/odds/1", { [field]: "NaN" })).status).toBe(422);
  }
});

test("a time that is sent as it is shown keeps its microseconds", async () => {
  const seenAt = "2020-02-29T12:00:00.999Z";
  const stored = async () => {
    const [row] = await app.db.query<{ at: string }>(
      `select "seenAt"::text as at from odds where id = 5`,
    );
    return row?.at;
  };
  const before = await stored();
  expect(before).toContain(".999999");
  expect((await admin.patch<Row>("/odds/5", { seenAt, small: 8 })).body).toMatchObject({
    seenAt,
    small: 8,
  });
  expect(await stored()).toBe(before);
  const record = await answered<Row>("/odds/5");
  expect((await admin.put("/odds/5", record)).status).toBe(200);
  expect(await stored()).toBe(before);
  expect((await admin.patch("/odds/5", { seenAt: "2020-02-29T12:00:00.998Z" })).status).toBe(200);
  expect(await stored()).toContain(".998");
});

test("an export has every record as the API shows it", async () => {
  const { odds } = await import(pathToFileURL(join(app.root, "generated/odds/table.ts")).href);
  const { cells, records, keys } = selectForFile(odds, { fields: null });
  const rows = await app.db.query<{ json: string }>(
    `select _row.* from (${records}) as _row (json)`,
  );
  const { data } = await answered("/odds?sort=id");
  expect(rows.map(({ json }) => JSON.parse(json))).toEqual(data);
  const texts = await app.db.query<Record<string, string>>(
    `select _row.* from (${cells}) as _row (${keys.map((key) => `"${key}"`).join(", ")})`,
  );
  expect(texts.map((row) => row.seenAt)).toEqual(data.map((row) => row.seenAt));
});
