import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockClasses, lockNumbers } from "../../../runtime/db/index.js";
import { created, openShop, type Shop } from "../../support/apps/shop.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await shop.app.db.query("create table locks_seen (by text)");
  await shop.app.db.query(`
    create function note_locks() returns trigger language plpgsql as $$
    begin
      insert into locks_seen
      select case objsubid when 1 then 'one number' else classid::int::text end
      from pg_locks
      where locktype = 'advisory' and pid = pg_backend_pid();
      return null;
    end;
    $$`);
  // Its name comes last, so that the totals' triggers run before it.
  await shop.app.db.query(`
    create trigger zz_note_locks after insert or update or delete on products
    for each statement execute function note_locks()`);
});
afterAll(() => shop.app.close());

/** What the request's transaction locked: `one number`, or the first of two numbers. */
async function locksOf(
  method: string,
  path: string,
  { body, key = null }: { readonly body: unknown; readonly key?: string | null },
): Promise<string[]> {
  await shop.app.db.query("delete from locks_seen");
  const headers = key === null ? {} : { "idempotency-key": key };
  const reply = await shop.admin.send(method, path, { text: JSON.stringify(body), headers });
  expect(reply.status, reply.text).toBeLessThan(300);
  const rows = await shop.app.db.query<{ by: string }>("select distinct by from locks_seen");
  return rows.map(({ by }) => by).toSorted();
}

test("each kind of lock by a hash has its own first number, whatever is locked", async () => {
  const [table] = await shop.app.db.query<{ oid: number }>("select 'products'::regclass::oid");
  const totals = String(table?.oid);
  const record = String(lockClasses.batchRecord);
  const request = String(lockClasses.keyedRequest);
  for (const round of [1, 2, 3, 4, 5].map((at) => `of ${at} ${randomUUID()}`)) {
    const create = (name: string) => created(shop.admin, "products", shop.product(name));
    const [one, other] = [await create(`One ${round}`), await create(`Other ${round}`)];
    const operations = [one, other].map(({ id }) => ({
      update: "products",
      id,
      values: { price: 3 },
    }));
    const path = `/products/${one.id}`;
    expect(await locksOf("POST", "/products", { body: shop.product(`More ${round}`) })).toEqual([
      totals,
    ]);
    expect(await locksOf("PATCH", path, { body: { price: 2 }, key: `one-${one.id}` })).toEqual([
      request,
    ]);
    expect(await locksOf("POST", "/_service/batch", { body: { operations } })).toEqual([record]);
    const both = await locksOf("POST", "/_service/batch", {
      body: { operations },
      key: `both-${one.id}`,
    });
    expect(both).toEqual([request, record].toSorted());
  }
});

test("no two kinds have the same number, and no class is the oid of an app's table", () => {
  const numbers: readonly number[] = Object.values(lockNumbers);
  const classes: readonly number[] = Object.values(lockClasses);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(new Set(classes).size).toBe(classes.length);
  expect(Math.max(...classes)).toBeLessThan(16_384);
});

test("every advisory lock has its number from the one table", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const numbers = new Set<number>(Object.values(lockNumbers));
  const taken = ["bin", "generator", "runtime", "templates"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|sql|hbs)$/.test(name) && !name.startsWith("dist/"))
      .flatMap((name) => {
        const text = readFileSync(join(root, folder, name), "utf8");
        const calls = text.matchAll(/pg_(?:try_)?advisory_\w+\(([^,)]+)([^;]*)/g);
        return [...calls].map(([call, first, rest = ""]) => ({
          place: `${folder}/${name}: ${call}`,
          isKnown:
            first === "$1"
              ? /\[\s*lock(Numbers|Classes)\./.test(rest)
              : first === oid || numbers.has(Number(first)),
        }));
      }),
  );
  expect(taken.length).toBeGreaterThan(10);
  expect(taken.filter(({ isKnown }) => !isKnown)).toEqual([]);
});

/** What the triggers of totals take first. */
const oid = "tg_relid::int";
