import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type ChangedApp,
  newChangedApp,
  problemText,
  refusalText,
} from "../../support/apps/changed-app.js";

let app: ChangedApp;

beforeEach(async () => {
  app = await newChangedApp();
});
afterEach(() => app.close());

const described = (options: string) =>
  new Map([["goods.yaml", `fields: { code: { type: string${options} } }\n`]]);

test("values that would collide in any case are counted, and the first 20 groups named", async () => {
  expect(problemText(await app.generate(described("")))).toBe("");
  await app.migrate();
  // 22 groups, of which one has three values, and two values that are alone.
  await app.client.query(
    `insert into goods (code)
     select code
     from generate_series(1, 22) as at
     cross join lateral (values ('tea ' || lpad(at::text, 2, '0')), ('TEA ' || lpad(at::text, 2, '0'))) as one (code)
     union all values ('Tea 07'), ('coffee'), ('Über'), (null), (null)`,
  );
  expect(problemText(await app.generate(described(", unique: any-case"), ["goods.code"]))).toBe("");
  const refusal = await refusalText(app.migrate());
  const groups = Array.from({ length: 20 }, (_, at) => {
    const number = String(at + 1).padStart(2, "0");
    return number === "07" ? "tea 07, Tea 07, TEA 07" : `tea ${number}, TEA ${number}`;
  });
  expect(refusal).toContain(
    "22 values of goods (code) are held by several rows if case is ignored, but must be unique",
  );
  const named = refusal.split("\n").filter((line) => /^ {4}tea/i.test(line));
  expect(named.map((line) => line.trim())).toEqual(groups);
  await app.client.query("delete from goods where code <> lower(code) and code <> 'Über'");
  await app.migrate();
  await expect(app.client.query("insert into goods (code) values ('COFFEE')")).rejects.toThrow();
});
