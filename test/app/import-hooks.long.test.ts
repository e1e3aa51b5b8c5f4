import { refusal } from "service-runtime/errors";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ImportingShop, openImportingShop } from "../support/apps/importing-shop.js";

let shop: ImportingShop;
const after: string[] = [];
const callers: unknown[] = [];

beforeAll(async () => {
  shop = await openImportingShop({
    categories: {
      beforeCreate: (values, { caller }) => {
        callers.push(caller);
        if (values.name === "bad") throw refusal(409, "No bad names");
        if (values.name === "worse") throw refusal(422, [{ path: "summary", message: "Too bad" }]);
        if (values.name === "broken") throw new Error("a bug");
        return { ...values, summary: `made of ${values.name}` };
      },
      afterCreate: async ({ name }, { db }) => {
        const [{ all = 0 } = {}] = await db.query<{ all?: number }>(
          "select count(*)::integer as all from categories",
        );
        after.push(`${name}, ${all}`);
      },
      beforeUpdate: ({ position }) => {
        if (position === 9) throw refusal(409, "Not 9");
      },
    },
  });
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.db.query("truncate categories cascade");
  after.length = 0;
});

test("hooks run for each row: their refusals are mistakes of the row, and after-commit hooks run later", async () => {
  const text = "name\nA\nbad\nworse\nB\n";
  const stopped = await shop.import("categories", text);
  const errors = [
    { row: 2, line: 3, column: null, message: "No bad names" },
    { row: 3, line: 4, column: null, message: "summary: Too bad" },
  ];
  expect(stopped).toMatchObject({ result: { created: 0, refused: 2, errors }, isWrong: true });
  expect(after).toEqual([]);
  const dry = await shop.import("categories", text, { onError: "skip", isDry: true });
  expect(dry).toMatchObject({ result: { created: 2, refused: 2, errors } });
  expect(after).toEqual([]);
  const skipped = await shop.import("categories", text, { onError: "skip" });
  expect(skipped).toMatchObject({ result: { created: 2, refused: 2, errors } });
  // Both were committed together.
  expect(after).toEqual(["A, 2", "B, 2"]);
  expect(new Set(callers)).toEqual(new Set([null]));
  const rows = await shop.db.query("select summary from categories order by id");
  expect(rows).toEqual([{ summary: "made of A" }, { summary: "made of B" }]);
  const changed = await shop.import("categories", "name,position\nA,9\nB,8\n", {
    upsert: "name",
    onError: "skip",
  });
  expect(changed).toMatchObject({
    result: { updated: 1, refused: 1, errors: [{ row: 1, message: "Not 9" }] },
  });
});

test("a hook that fails ends the import", async () => {
  const end = await shop.import("categories", "name\nC\nbroken\n");
  expect(end).toMatchObject({
    kind: "failed",
    message: "categories.beforeCreate failed: a bug",
    result: { created: 0 },
  });
  expect(await shop.db.query("select id from categories where name = 'C'")).toEqual([]);
});

test("more hooks than fit in memory run once each, in order", async () => {
  const many = Array.from({ length: 600 }, (_, at) => `many ${at}`);
  const end = await shop.import("categories", `name\n${many.join("\n")}\n`);
  expect(end).toMatchObject({ result: { created: 600, refused: 0 } });
  expect(after.map((one) => one.split(",")[0])).toEqual(many);
});

test("time spent waiting for a row that another transaction locks does not count as hook time", async () => {
  const lock = "select from categories where name = 'held' for update";
  const waiting = await openImportingShop(
    { categories: { beforeCreate: (_, { db }) => db.query(lock).then(() => {}) } },
    undefined,
    { hookTimeoutSeconds: 1 },
  );
  try {
    await waiting.db.query("insert into categories (id, name) values (service.uuid_v7(), 'held')");
    const { imported } = await waiting.db.transaction(async ({ query }) => {
      await query(lock);
      const imported = waiting.import("categories", "name\nOne\nTwo\n");
      const text = `select from pg_locks
        where not granted and clock_timestamp() - waitstart > interval '2 s'`;
      await expect.poll(async () => (await query(text)).length, { timeout: 60_000 }).toBe(1);
      return { imported };
    });
    expect(await imported).toMatchObject({ result: { created: 2, refused: 0 } });
  } finally {
    await waiting.close();
  }
});
