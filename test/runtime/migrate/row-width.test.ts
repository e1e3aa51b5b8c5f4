import { afterAll, beforeAll, expect } from "vitest";
import { type ChangedApp, newChangedApp } from "../../support/apps/changed-app.js";
import { rare } from "../../support/rare.js";

let app: ChangedApp;
beforeAll(async () => {
  app = await newChangedApp();
});
afterAll(() => app.close());

/** A descriptor with so many long texts beside one field of every other width. */
function descriptor(texts: number) {
  const others = [
    "odd: { type: boolean }",
    "place: { type: number }",
    "sum: { type: number, decimals: 15 }",
    "day: { type: date }",
    "at: { type: timestamp }",
    "by: { type: belongsTo, resource: users }",
    "code: { type: string, maxLength: 3 }",
    "grade: { type: enum, values: [a, bb] }",
  ];
  const long = Array.from({ length: texts }, (_, at) => `t${at}: { type: text }`);
  return new Map([["wides.yaml", `fields:\n  ${[...others, ...long].join("\n  ")}\n`]]);
}

async function problemsOf(texts: number) {
  const { problems } = await app.generate(descriptor(texts));
  return problems.map(({ file, line, message }) => ({ file, line, message }));
}

rare("generate accepts no more fields than fit in a row when all are filled", async () => {
  let most = 300;
  while ((await problemsOf(most + 1)).length === 0) most += 1;
  expect(await problemsOf(most + 1)).toEqual([
    {
      file: "resources/wides.yaml",
      line: 1,
      message: expect.stringMatching(
        /^a record with all \d+ fields filled may need 81\d\d bytes in its row, but PostgreSQL has room for 8160$/,
      ),
    },
  ]);
  expect(await problemsOf(most)).toEqual([]);
  await app.migrate();
  const names = Array.from({ length: most }, (_, at) => `t${at}`);
  const user = "00000000-0000-7000-8000-000000000001";
  await app.client.query(
    "insert into service.users (id, name, email) values ($1, 'A', 'a@example.com')",
    [user],
  );
  // Of 23 bytes, which stay in the row, and of far more, which move out of it.
  for (const text of ["x".repeat(23), "€".repeat(1000)]) {
    await app.client.query(
      `insert into wides (id, odd, place, sum, day, at, by, code, grade, ${names.join(", ")})
       values (gen_random_uuid(), true, 1.5, 123456789.123456, '2024-01-01', now(), '${user}', '€€€', 'bb',
               ${names.map(() => "$1").join(", ")})`,
      [text],
    );
  }
});
