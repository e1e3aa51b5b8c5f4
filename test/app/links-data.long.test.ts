import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ImportRequest, SeedEvent } from "../../runtime/data/index.js";
import type { End } from "../support/apps/importing-shop.js";
import { uuidOf } from "../support/apps/known-rows.js";
import { openTaskApp, type TaskApp, usualImport } from "../support/apps/task-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";

let app: WrittenApp;
let tasks: TaskApp;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `fields:
  name: { type: string, required: true, unique: true }
  tagIds: { type: links, resource: tags, maxItems: 3 }
  sizeIds: { type: links, resource: sizes }
  relatedIds: { type: links, resource: products }
  staffIds: { type: links, resource: users }
`,
      ],
      [
        "tags.yaml",
        "fields: { name: { type: string, required: true, unique: any-case, trim: true } }\n",
      ],
      [
        "sizes.yaml",
        "fields: { number: { type: number, integer: true, required: true, unique: true } }\n",
      ],
      [
        "menus.yaml",
        "fields: { name: { type: string }, tagIds: { type: links, resource: tags, required: true } }\n",
      ],
    ]),
  });
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const databaseUrl = app.config.database.url;
  tasks = await openTaskApp({ name: app.root, databaseUrl, make: () => createApp() });
  const { client: admin } = await app.caller("admin");
  for (const name of ["Green", "Black", "a|b"]) await admin.post("/tags", { name });
  for (const number of [38, 40]) await admin.post("/sizes", { number });
});
afterAll(async () => {
  await tasks?.close();
  await app?.close();
});
beforeEach(() => app.db.query("truncate products cascade"));

const byName = { tagIds: "name", sizeIds: "number", relatedIds: "name", staffIds: "email" };

async function imported(text: string, options: Partial<ImportRequest> = {}) {
  const path = join(app.root, `rows.${options.format ?? "csv"}`);
  writeFileSync(path, text);
  const request = { ...usualImport, path, link: byName, errors: `${path}.errors.csv`, ...options };
  const end = await tasks.run<End>((events) => ({
    kind: "import",
    request: { resource: "products", ...request, events },
  }));
  if (end.kind === "refused") throw new Error(end.message);
  const { created, updated, refused, errors } = end.result;
  return {
    created,
    updated,
    refused,
    errors: errors.map(({ row, column, message }) => `${row}, ${column}: ${message}`),
  };
}

const names = (list: string, target: string, value = "name") =>
  `array(
    select ${value} from ${target} as one join unnest(products.${list}) with ordinality as listed (id, at) using (id)
    order by at
  ) as ${list}`;

const stored = () =>
  app.db.query(
    `select name, ${names("tag_ids", "tags")}, ${names("size_ids", "sizes", "number::integer")},
      ${names("related_ids", "products")}, ${names("staff_ids", "service.users", "email")}
    from products order by name`,
  );

describe.each(["stop", "skip"] as const)("--link of a list (--on-error %s)", (onError) => {
  test("each element is a unique value of its target, in the given order", async () => {
    const rows = [
      "name,tagIds,sizeIds,staffIds",
      "A,black| GREEN |a\\|b,40|38,caller-1@example.com",
      "B,,,",
    ];
    expect(await imported(rows.join("\n"), { onError })).toEqual({
      created: 2,
      updated: 0,
      refused: 0,
      errors: [],
    });
    expect(await stored()).toEqual([
      {
        name: "A",
        tag_ids: ["Black", "Green", "a|b"],
        size_ids: [40, 38],
        related_ids: [],
        staff_ids: ["caller-1@example.com"],
      },
      { name: "B", tag_ids: [], size_ids: [], related_ids: [], staff_ids: [] },
    ]);
  });

  test("mistakes are reported at their element", async () => {
    const rows = [
      "name,tagIds,sizeIds",
      "A,Green|Blue|White,",
      "B,Green|GREEN,",
      "C,,38|x",
      "D,Green||Black,",
    ];
    const { created, refused, errors } = await imported(rows.join("\n"), { onError });
    expect({ created, refused }).toEqual({ created: 0, refused: 4 });
    expect(errors).toEqual([
      "1, tagIds: 1: No such record",
      "1, tagIds: 2: No such record",
      "2, tagIds: 1: Is in the list already",
      "3, sizeIds: Must be a number as in JSON: 1234.5",
      "4, tagIds: 1: No such record",
    ]);
  });

  test("an id that leads to no record is reported at its element", async () => {
    const [green] = await app.db.query<{ id: string }>("select id from tags where name = 'Green'");
    const [gone, other] = [uuidOf(1), uuidOf(2)];
    const rows = ["name,tagIds,relatedIds", `A,${gone}|${green?.id}|${other},${gone}`, "B,,"];
    const { created, refused, errors } = await imported(rows.join("\n"), { onError, link: {} });
    expect({ created, refused }).toEqual({ created: onError === "skip" ? 1 : 0, refused: 1 });
    expect(errors).toEqual([
      "1, tagIds: 0: No such record",
      "1, tagIds: 2: No such record",
      "1, relatedIds: 0: No such record",
    ]);
  });

  test("a required list reports the names that no record has, and nothing else", async () => {
    const { errors } = await imported("name,tagIds\nA,Blue\nB,\n", {
      onError,
      resource: "menus",
      link: { tagIds: "name" },
    } as Partial<ImportRequest>);
    expect(errors).toEqual(["1, tagIds: 0: No such record", "2, tagIds: At least one record"]);
  });

  test("a list of the resource itself names records of earlier rows", async () => {
    const { created } = await imported("name,relatedIds\nA,\nB,A\nC,B|A\n", { onError });
    expect(created).toBe(3);
    expect(await stored()).toMatchObject([
      { related_ids: [] },
      { related_ids: ["A"] },
      { related_ids: ["B", "A"] },
    ]);
    const later = await imported("name,relatedIds\nD,E|A|D\nE,\n", { onError });
    expect(later.errors).toEqual(
      onError === "skip"
        ? ["1, relatedIds: 0: No such record", "1, relatedIds: 2: No such record"]
        : [],
    );
    if (onError === "skip") return;
    expect(await stored()).toMatchObject([
      ...[{ name: "A" }, { name: "B" }, { name: "C" }],
      { name: "D", related_ids: ["E", "A", "D"] },
      { name: "E", related_ids: [] },
    ]);
  });

  test("mistakes of such a list are reported at their element", async () => {
    await imported("name\nA\n");
    const rows = ["B,C|Z|A", "C,A|A", "D,", "D,B", "E,D|C", "F,"];
    const { created, errors } = await imported(`name,relatedIds\n${rows.join("\n")}\n`, {
      onError,
    });
    // A row whose list leads to a refused row is refused.
    expect(errors).toEqual([
      "1, relatedIds: 0: No such record",
      "1, relatedIds: 1: No such record",
      "2, relatedIds: 1: Is in the list already",
      "4, name: Another record has this value",
      "4, relatedIds: 0: No such record",
      "5, relatedIds: 1: No such record",
    ]);
    expect(created).toBe(onError === "skip" ? 2 : 0);
  });

  test("a list of ids leads to rows of the file", async () => {
    const [one, two] = [uuidOf(1), uuidOf(2)];
    const text = `id,name,relatedIds\n${one},A,${two}|${one}\n${two},B,${one}\n`;
    const { created, errors } = await imported(text, { onError, link: {} });
    if (onError === "skip") {
      expect(created).toBe(0);
      return;
    }
    expect({ created, errors }).toEqual({ created: 2, errors: [] });
    expect(await stored()).toMatchObject([{ related_ids: ["B", "A"] }, { related_ids: ["A"] }]);
    const wrong = await imported(
      `id,name,relatedIds\n${uuidOf(3)},C,${uuidOf(4)}\n${uuidOf(4)},D,\n,A,\n`,
      { onError, link: {} },
    );
    expect(wrong.errors).toEqual(["3, name: Another record has this value"]);
  });
});

test("--upsert sets the lists of the record that it finds", async () => {
  await imported("name,tagIds\nA,Green\n");
  const { updated } = await imported("name,tagIds\nA,Black|Green\nB,Black\n", { upsert: "name" });
  expect(updated).toBe(1);
  expect(await stored()).toMatchObject([
    { name: "A", tag_ids: ["Black", "Green"] },
    { name: "B", tag_ids: ["Black"] },
  ]);
});

test("--set gives a list to all records", async () => {
  await imported("name\nA\nB\n", { set: { tagIds: "Black|Green" } });
  expect(await stored()).toMatchObject([
    { tag_ids: ["Black", "Green"] },
    { tag_ids: ["Black", "Green"] },
  ]);
});

test("records in JSON have lists of names", async () => {
  const rows = [
    { name: "A", tagIds: ["Black", "Green"], sizeIds: [38] },
    { name: "B", tagIds: ["Black", null] },
    { name: "C", tagIds: "Black" },
  ];
  const { created, errors } = await imported(JSON.stringify(rows), {
    format: "json",
    onError: "skip",
  });
  expect(errors).toEqual([
    "2, tagIds: 1: No such record",
    "3, tagIds: Must be a list of ids of records",
  ]);
  expect(created).toBe(1);
  expect(await stored()).toMatchObject([{ tag_ids: ["Black", "Green"], size_ids: [38] }]);
});

test("without --link a list has ids, as an export writes it", async () => {
  const ids = await app.db.query<{ id: string }>("select id from tags order by name");
  const list = ids.map(({ id }) => id);
  await imported(`name,tagIds\nA,${list.join("|")}\n`, { link: {} });
  expect(await app.db.query("select tag_ids::text[] from products")).toEqual([{ tag_ids: list }]);
});

test("a seed names the records of a list", async () => {
  const folder = join(app.root, "seed");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "products.yaml"),
    "key: name\nrecords:\n  - { name: A, tagIds: [{ find: { name: Black } }, { find: { name: Green } }] }\n",
  );
  const request = { folder, resources: [], onlyEmpty: false, command: null };
  const end = await tasks.run<SeedEvent>((events) => ({
    kind: "seed",
    request: { ...request, events },
  }));
  expect(end).toMatchObject({ kind: "done" });
  expect(await stored()).toMatchObject([{ name: "A", tag_ids: ["Black", "Green"] }]);
  expect(readFileSync(join(folder, "products.yaml"), "utf8")).toContain("find");
});
