import { afterEach, expect, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
import { type ChangedApp, type Descriptors, newChangedApp } from "../support/apps/changed-app.js";

let app: ChangedApp;

afterEach(() => app.close());

const descriptor = (field: string): Descriptors =>
  new Map([["items.yaml", `fields:\n  code: ${field}\n`]]);

/** Migrates until such a step is due for the nth time, as if the process had been killed there. */
async function migrateUpTo(kind: string, nth = 1): Promise<void> {
  const cut = new Error("cut off");
  let seen = 0;
  const onProgress = ({ what }: { readonly what: string }) => {
    if (what.startsWith(kind)) seen += 1;
    if (seen === nth) throw cut;
  };
  await expect(migrate({ ...app.target, onProgress })).rejects.toThrow("cut off");
}

async function insert(code: string): Promise<void> {
  await app.client.query("insert into items (id, code) values (gen_random_uuid(), $1)", [code]);
}

test.each([
  ["{ type: string }", "{ type: number, integer: true }", "17", "01581"],
  ["{ type: number, decimals: 4 }", "{ type: number, decimals: 2 }", "1.2500", "1.2345"],
  ["{ type: timestamp }", "{ type: date }", "2024-01-01T00:00:00Z", "2024-01-01T13:14:00Z"],
])(
  "while %s becomes %s, values that would be truncated are refused",
  async (before, after, kept, cut) => {
    app = await newChangedApp();
    await app.generate(descriptor(before));
    await app.migrate();
    await app.generate(descriptor(after), ["items"]);
    await migrateUpTo("batches");
    await insert(kept);
    await expect(insert(cut)).rejects.toMatchObject({ code: "23514" });
    await expect(app.client.query("update items set code = $1", [cut])).rejects.toMatchObject({
      code: "23514",
    });
    await app.migrate();
    const { rows } = await app.client.query("select code::text from items");
    expect(rows).toHaveLength(1);
    expect(Number(rows[0].code.replace(/-/g, ""))).toBe(
      Number(kept.slice(0, 10).replace(/-/g, "")),
    );
  },
);

test.each([
  ["{ type: boolean }", "{ type: number, integer: true, default: 3 }", "true"],
  ["{ type: timestamp }", "{ type: number }", "2024-01-01T00:00:00Z"],
])("while %s becomes %s, any value is refused and none is lost", async (before, after, value) => {
  app = await newChangedApp();
  await app.generate(descriptor(before));
  await app.migrate();
  await app.client.query("insert into items (id) values (gen_random_uuid())");
  await app.generate(descriptor(after), ["items"]);
  await migrateUpTo("transaction", 2);
  await expect(insert(value)).rejects.toMatchObject({ code: "23514" });
  await expect(app.client.query("update items set code = $1", [value])).rejects.toMatchObject({
    code: "23514",
  });
  await app.migrate();
  expect((await app.client.query("select code from items")).rows).toEqual([{ code: null }]);
});

test("a column named by a keyword of PL/pgSQL can be narrowed", async () => {
  app = await newChangedApp();
  const begin = (field: string) => new Map([["items.yaml", `fields:\n  begin: ${field}\n`]]);
  await app.generate(begin("{ type: string }"));
  await app.migrate();
  await app.client.query("insert into items (id, begin) values (gen_random_uuid(), '7')");
  await app.generate(begin("{ type: number, integer: true }"), ["items"]);
  await app.migrate();
  expect((await app.client.query("select begin::int as one from items")).rows).toEqual([
    { one: 7 },
  ]);
});

test("the row with the smallest possible id is included", async () => {
  app = await newChangedApp();
  await app.generate(descriptor("{ type: string }"));
  await app.migrate();
  const nil = "00000000-0000-0000-0000-000000000000";
  await app.client.query("insert into items (id, code) values ($1, '7')", [nil]);
  await app.generate(descriptor("{ type: number, integer: true }"), ["items"]);
  await app.migrate();
  expect((await app.client.query("select code::int from items")).rows).toEqual([{ code: 7 }]);
});

test("handwritten objects on the column are reported before the first step", async () => {
  app = await newChangedApp();
  await app.generate(descriptor("{ type: string }"));
  await app.migrate();
  await app.client.query("create view codes as select code from items");
  await app.generate(descriptor("{ type: number, integer: true }"), ["items"]);
  await expect(app.migrate()).rejects.toThrow(
    "1 object that the migration does not know depends on items.code",
  );
  await app.client.query("drop view codes");
  expect(await app.migrate()).toEqual(["0002_change_items_code"]);
});
