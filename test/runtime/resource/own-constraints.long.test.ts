import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type HookedShop, openHookedShop } from "../../support/apps/hooked-shop.js";
import { created, expectRefusal, paths } from "../../support/apps/shop.js";
import type { Client, Reply, Row } from "../../support/http/client.js";

// Constraints and triggers that the app adds to its tables by its own migrations.

let shop: HookedShop;
/** With hooks, so that a write is committed by a statement of its own. */
let hooked: HookedShop;
beforeAll(async () => {
  const nothing = () => {};
  shop = await openHookedShop({});
  hooked = await openHookedShop({
    hooks: {
      products: { beforeCreate: nothing, beforeUpdate: nothing, beforeDelete: nothing },
    },
  });
});
afterAll(async () => {
  await shop.close();
  await hooked.close();
});

const added = `
  create function refuse_by_code() returns trigger language plpgsql as
    'begin raise exception ''No more than nine'' using errcode = ''40001''; end';
  create function fail() returns trigger language plpgsql as
    'begin perform 1 / (new.stock - new.stock); return new; end';
  create function drop_row() returns trigger language plpgsql as 'begin return null; end';
  create function link_lost() returns trigger language plpgsql as
    'begin insert into audits values (gen_random_uuid()); return new; end';
  create table audits (category uuid constraint audits_category references categories);`;
const removed = `
  drop table audits;
  drop function refuse_by_code, fail, drop_row, link_lost cascade;`;

beforeEach(async () => {
  for (const { db } of [shop, hooked]) {
    for (const sql of statementsOf(added)) await db.query(sql);
  }
});
afterEach(async () => {
  for (const { db } of [shop, hooked]) {
    for (const sql of statementsOf(removed)) await db.query(sql);
    await db.query("delete from order_items");
    await db.query("delete from products");
  }
});

function statementsOf(text: string): readonly string[] {
  return text.split(/;\n/).map((one) => one.replace(/;$/, ""));
}

function postKeyed(caller: Client, values: object): Promise<Reply> {
  const headers = { "idempotency-key": uuid() };
  return caller.send("POST", "/products", { text: JSON.stringify(values), headers });
}

const errorOf = (reply: Reply) => (reply.body as { error: string }).error;

/** A rule of the table of products, how it is taken away again, and a value that it refuses. */
interface Rule {
  readonly add: string;
  readonly remove: string;
  readonly values: Record<string, unknown>;
  readonly status: number;
  /** The paths of its issues, or the words that its sentence has. */
  readonly says: readonly string[] | RegExp;
}

const trigger = (when: string, name: string) =>
  `create trigger own ${when} on products for each row execute function ${name}()`;
const byConstraint = (definition: string) => ({
  add: `alter table products add constraint own ${definition}`,
  remove: "alter table products drop constraint own",
});
const byTrigger = (name: string) => ({
  add: trigger("before insert or update", name),
  remove: "drop trigger own on products",
});
const byIndex = (definition: string) => ({
  add: `create unique index own on products ${definition}`,
  remove: "drop index own",
});

const rules: Readonly<Record<string, Rule>> = {
  "a unique index": {
    ...byIndex("(stock) where stock > 8"),
    ...{ values: { stock: 9 }, status: 422, says: ["stock"] },
  },
  "a unique index of an expression": {
    ...byIndex("(lower(name), (stock % 2)) where price > 0"),
    ...{ values: { name: "TAKEN", stock: 9 }, status: 422, says: ["name", "stock"] },
  },
  "a unique index without a field": {
    ...byIndex("((true)) where stock = 9"),
    ...{ values: { stock: 9 }, status: 409, says: /"own" of the table "products"/ },
  },
  "a check": {
    ...byConstraint("check (stock <> 9 or price > 5)"),
    ...{ values: { stock: 9 }, status: 422, says: ["price", "stock"] },
  },
  "a check without a field": {
    ...byConstraint("check (pg_backend_pid() < 0) not valid"),
    ...{ values: { stock: 9 }, status: 409, says: /"own" of the table "products"/ },
  },
  "a check that cannot be computed": {
    ...byConstraint("check (1 / (stock - 9) < 100) not valid"),
    ...{ values: { stock: 9 }, status: 409, says: /failed/ },
  },
  "not null": {
    add: "alter table products alter description set not null",
    remove: "alter table products alter description drop not null",
    ...{ values: { description: null }, status: 422, says: ["description"] },
  },
  "an exclusion": {
    ...byConstraint("exclude using btree (stock with =) where (stock > 8)"),
    ...{ values: { stock: 9 }, status: 409, says: /"own" of the table "products"/ },
  },
  "a foreign key": {
    add: `alter table products add constraint own foreign key (name) references coupons (code) not valid`,
    remove: "alter table products drop constraint own",
    ...{ values: { name: "No coupon" }, status: 422, says: ["name"] },
  },
  "raise exception with the code of another failure": {
    ...byTrigger("refuse_by_code"),
    ...{ values: { stock: 9 }, status: 422, says: /^No more than nine$/ },
  },
  "a function that fails": {
    ...byTrigger("fail"),
    ...{ values: { stock: 9 }, status: 409, says: /^A function [^:]*failed[^:]*$/ },
  },
  "a function that breaks a constraint elsewhere": {
    ...byTrigger("link_lost"),
    ...{ values: { stock: 9 }, status: 409, says: /^A function [^:]*failed[^:]*$/ },
  },
  "a trigger that drops the row": {
    ...byTrigger("drop_row"),
    ...{ values: { stock: 9 }, status: 409, says: /trigger of the table "products" dropped/ },
  },
};

/** Two records are stored, then the rule is added: what it refuses would be the second or the third of its kind. */
async function underRule<T>(
  { db, admin, product }: HookedShop,
  { add, remove }: Rule,
  work: (changed: Row) => Promise<T>,
): Promise<T> {
  const description = "Both have one";
  await created(admin, "products", product("taken", { stock: 9, price: 4, description }));
  // A rule that stored rows break, as checks that are not valid yet, is met by changes as well.
  const changed = await created(admin, "products", product("changed", { stock: 1, description }));
  if (/check \(stock/.test(add)) await db.query("update products set price = 6 where stock = 9");
  await db.query(add);
  try {
    return await work(changed);
  } finally {
    await db.query(remove);
  }
}

function expectSaid(reply: Reply, { status, says }: Rule): void {
  if (Array.isArray(says)) {
    expect(paths(reply)).toEqual(says);
    return;
  }
  expect(reply.status, reply.text).toBe(status);
  expect(errorOf(reply)).toMatch(says as RegExp);
}

describe.each([
  ["alone", () => shop],
  ["with hooks", () => hooked],
])("%s a write is refused by", (_, shopOf) => {
  test.each(Object.entries(rules))("%s", async (_, rule) => {
    const { admin, product } = shopOf();
    await underRule(shopOf(), rule, async (changed) => {
      const values = product("new", rule.values);
      expectSaid(await admin.post("/products", values), rule);
      expectSaid(await admin.patch(`/products/${changed.id}`, rule.values), rule);
      expectSaid(await postKeyed(admin, values), rule);
      const all = await Promise.all(
        Array.from({ length: 12 }, () => admin.post("/products", values)),
      );
      for (const reply of all) expectSaid(reply, rule);
    });
  });
});

describe("in a batch an operation is refused by", () => {
  test.each(Object.entries(rules))("%s", async (_, rule) => {
    const { admin, product } = shop;
    await underRule(shop, rule, async (changed) => {
      const operations = [
        { create: "categories", values: { name: `Before ${uuid()}` } },
        { create: "products", values: product("new", rule.values) },
      ];
      const reply = await admin.post<{ index: number }>("/_service/batch", { operations });
      expect([reply.status, reply.body.index], reply.text).toEqual([rule.status, 1]);
      const updates = [{ update: "products", id: changed.id, values: rule.values }, operations[0]];
      const parts = await admin.post<{ data: unknown[]; errors: { error: string }[] }>(
        "/_service/batch",
        { operations: updates, atomic: false },
      );
      expect(parts.body, parts.text).toMatchObject({
        data: [null, { id: expect.any(String) }],
        errors: [{ index: 0, status: rule.status }],
      });
    });
  });
});

describe("app code is refused by", () => {
  test.each(Object.entries(rules))("%s", async (_, rule) => {
    const { app, product } = shop;
    await underRule(shop, rule, async (changed) => {
      const values = product("new", rule.values) as never;
      const refused = { name: "Refusal", status: rule.status };
      await expect(app.resources.products.create(values)).rejects.toMatchObject(refused);
      const change = app.transaction(({ resources }) =>
        resources.products.update(String(changed.id), rule.values),
      );
      await expect(change).rejects.toMatchObject(refused);
    });
  });
});

test("the text of a failing function is in no response", async () => {
  const rule = rules["a function that fails"] as Rule;
  await underRule(shop, rule, async () => {
    const reply = await shop.admin.post("/products", shop.product("new"));
    expect(reply.text).not.toMatch(/division/);
  });
});

describe("at the commit", () => {
  const deferred = {
    add: `alter table products add constraint own unique (stock) deferrable initially deferred`,
    remove: "alter table products drop constraint own",
  };
  const raising = {
    add: `create constraint trigger own after insert or update on products
      deferrable initially deferred for each row execute function refuse_by_code()`,
    remove: "drop trigger own on products",
  };
  const unique = { ...deferred, values: { stock: 9 }, status: 422, says: ["stock"] };
  const raised = { ...raising, values: { stock: 9 }, status: 422, says: /^No more than nine$/ };
  test.each([
    ["a unique constraint", unique],
    ["a constraint trigger", raised],
  ])("%s refuses every kind of write", async (_, rule: Rule) => {
    for (const one of [shop, hooked]) {
      await underRule(one, rule, async (changed) => {
        const { admin, app, product } = one;
        const values = product("new", rule.values);
        expectSaid(await admin.post("/products", values), rule);
        expectSaid(await admin.patch(`/products/${changed.id}`, rule.values), rule);
        expectSaid(await postKeyed(admin, values), rule);
        const before = { create: "categories", values: { name: `Before ${uuid()}` } };
        const operations = [before, { create: "products", values }];
        const batch = await admin.post("/_service/batch", { operations });
        expect(batch.body, batch.text).toMatchObject({ index: 1 });
        expect(batch.status).toBe(422);
        const parts = await admin.post("/_service/batch", { operations, atomic: false });
        expect(parts.body, parts.text).toMatchObject({ errors: [{ index: 1, status: 422 }] });
        const transaction = app.transaction(({ resources }) =>
          resources.products.create(values as never),
        );
        await expect(transaction).rejects.toMatchObject({
          name: "Refusal",
          status: 422,
          ...(Array.isArray(rule.says) && { issues: [{ path: "stock" }] }),
        });
      });
    }
  });
});

describe("a delete is refused by", () => {
  test.each([
    ["a table of the app's own", () => shop],
    ["one, with hooks", () => hooked],
  ])("%s that refers to the record: 409 with its name and number", async (_, shopOf) => {
    const { admin, db } = shopOf();
    const coupon = await created(admin, "coupons", { code: `C${Date.now()}` });
    await db.query("create table redeemed (coupon uuid references coupons)");
    try {
      await db.query("insert into redeemed values ($1), ($1)", [coupon.id]);
      const sentence = "2 rows of redeemed still belong to this coupon";
      const alone = await admin.delete(`/coupons/${coupon.id}`);
      expectRefusal(alone, 409);
      expect(errorOf(alone)).toBe(sentence);
      const operations = [{ delete: "coupons", id: coupon.id }];
      const atomic = await admin.post("/_service/batch", { operations });
      expect(atomic.body).toEqual({ error: sentence, index: 0 });
      const parts = await admin.post("/_service/batch", { operations, atomic: false });
      expect(parts.body).toEqual({
        data: [null],
        errors: [{ index: 0, status: 409, error: sentence }],
      });
      const own = shopOf().app.resources.coupons.delete(String(coupon.id));
      await expect(own).rejects.toMatchObject({ status: 409, message: sentence });
    } finally {
      await db.query("drop table redeemed");
    }
    expect((await admin.delete(`/coupons/${coupon.id}`)).status).toBe(204);
  });

  test("records and the app's rows, each with its number", async () => {
    const { admin, db, product } = shop;
    const category = await created(admin, "categories", { name: `Full ${uuid()}` });
    await created(admin, "products", product("Inside", { categoryId: category.id }));
    await db.query("insert into audits values ($1)", [category.id]);
    await db.query("alter table audits rename to aaa_audits");
    try {
      const reply = await admin.delete(`/categories/${category.id}`);
      expectRefusal(reply, 409);
      expect(errorOf(reply)).toMatch(/^1 product .*still belong/);
    } finally {
      await db.query("alter table aaa_audits rename to audits");
    }
    await db.query("delete from products");
    const left = await admin.delete(`/categories/${category.id}`);
    expect(errorOf(left)).toBe("1 row of audits still belongs to this category");
  });

  test("raise exception, a function that fails and a trigger that drops the row", async () => {
    for (const { admin, db, product } of [shop, hooked]) {
      const { id } = await created(admin, "products", product("Kept"));
      const drop = () => db.query("drop trigger own on products");
      await db.query(trigger("before delete", "refuse_by_code"));
      const raised = await admin.delete(`/products/${id}`);
      expectRefusal(raised, 422);
      expect(errorOf(raised)).toBe("No more than nine");
      await drop();
      await db.query(trigger("before delete", "fail"));
      expectRefusal(await admin.delete(`/products/${id}`), 409);
      await drop();
      await db.query(trigger("before delete", "drop_row"));
      const dropped = await admin.delete(`/products/${id}`);
      expectRefusal(dropped, 409);
      expect(errorOf(dropped)).toBe('A trigger of the table "products" dropped the record');
      await drop();
      expect((await admin.delete(`/products/${id}`)).status).toBe(204);
    }
  });
});

test("a change that removes a value to which rows refer is 409 with their table and number", async () => {
  const { admin, db } = shop;
  const { id } = await created(admin, "coupons", { code: "REFERRED" });
  await db.query("create table redeemed (code text references coupons (code))");
  try {
    await db.query("insert into redeemed values ('REFERRED')");
    const reply = await admin.patch(`/coupons/${id}`, { code: "OTHER" });
    expectRefusal(reply, 409);
    expect(errorOf(reply)).toBe("1 row of redeemed still belongs to this coupon");
  } finally {
    await db.query("drop table redeemed");
  }
});
