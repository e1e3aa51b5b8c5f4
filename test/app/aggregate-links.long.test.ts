import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal, openShop, parameters, type Shop } from "../support/apps/shop.js";
import { type Client, client, type Json } from "../support/http/client.js";

interface Groups {
  readonly data: readonly { readonly by: Readonly<Record<string, Json>>; readonly count: number }[];
}

describe("groups by the target of a link", () => {
  let shop: Shop;
  let bought: string;
  beforeAll(async () => {
    shop = await openShop();
    const { admin } = shop;
    const coupon = await created(admin, "coupons", { code: "SECRET", discount: 0.5 });
    const me = await admin.get<{ user: { id: string } }>("/auth/me");
    const ada = await created(admin, "customers", {
      name: "Ada",
      email: "ada@example.com",
      notes: "Never calls",
    });
    const bob = await created(admin, "customers", {
      name: "Bob",
      email: "bob@example.com",
      level: "gold",
    });
    bought = ada.id;
    const placedAt = "2026-01-01T00:00:00Z";
    for (const [number, fields] of [
      [1, { customerId: ada.id, couponId: coupon.id }],
      [2, { customerId: bob.id, handledById: me.body.user.id }],
      [3, { customerId: ada.id }],
    ] as const) {
      await created(admin, "orders", { number, placedAt, ...fields });
    }
  });
  afterAll(() => shop.app.close());

  const ask = (query: string, caller: Client = shop.admin) =>
    caller.get<Groups>(`/orders/_aggregate?${query}`);

  test.each<[string, object[]]>([
    ["by=customer.level", [{ "customer.level": "bronze" }, { "customer.level": "gold" }]],
    ["by=handledBy.name", [{ "handledBy.name": "Caller 1" }, { "handledBy.name": null }]],
    ["by=coupon.code&sort=-coupon.code", [{ "coupon.code": "SECRET" }, { "coupon.code": null }]],
    [
      'by=customer.name,number&where={"customer":{"name":"Ada"}}',
      [
        { "customer.name": "Ada", number: 1 },
        { "customer.name": "Ada", number: 3 },
      ],
    ],
  ])("%s", async (query, expected) => {
    const { body } = await ask(query);
    expect(body.data.map(({ by }) => by)).toEqual(expected);
  });

  test("shows the records of links beside their ids, without long texts", async () => {
    const { body, text } = await ask("by=status,customerId&include=customer&sort=-count");
    expect(Object.keys(body.data[0]?.by ?? {})).toEqual(["status", "customerId", "customer"]);
    expect(body.data[0]).toMatchObject({
      by: { customerId: bought, customer: { id: bought, name: "Ada" } },
      count: 2,
    });
    expect(text).not.toContain("Never calls");
    const fields = "include[customer][fields]=notes:5";
    const cut = await ask(`by=customerId&include=customer&${fields}&sort=-count`);
    expect(cut.body.data[0]?.by).toEqual({
      customerId: bought,
      customer: { id: bought, notes: "Never" },
    });
    const none = await ask("by=couponId&include=coupon&sort=-couponId");
    expect(none.body.data[1]?.by).toEqual({ couponId: null, coupon: null });
    const person = await ask("by=handledById&include=handledBy");
    expect(person.body.data[0]?.by.handledBy).toMatchObject({ name: "Caller 1", image: null });
  });

  test.each([
    "by=coupon.code",
    "by=coupon.colour",
    "distinct=coupon.code",
    "by=customer.level,coupon.channel",
    "by=couponId&include=coupon",
  ])("needs the rule of the resource, 403 names it: %s", async (query) => {
    const reply = await shop.member.get<{ error: string }>(`/orders/_aggregate?${query}`);
    expectRefusal(reply, 403);
    expect(reply.body.error).toContain("coupons");
    const [by, ...more] = query.split("&");
    const body =
      more.length > 0
        ? { by: ["couponId"], include: { coupon: true } }
        : { [by?.split("=")[0] ?? ""]: by?.split("=")[1]?.split(",") };
    expectRefusal(await shop.member.post("/orders/_aggregate", body), 403);
  });

  test("a page of groups is enough for a text with many different values", async () => {
    await shop.app.db.query(
      `insert into coupons (id, code, discount, channel, starts_at, terms)
       select gen_random_uuid(), 'C' || lpad(n::text, 8, '0'), 0.1, 'web', now(), 'x' from generate_series(1, 60000) as n`,
    );
    const path = "/coupons/_aggregate?by=code&sum=discount&distinct=code,channel";
    const { body, text } = await shop.admin.get<Groups>(`${path}&perPage=1000&sort=-code`);
    expect(body.data).toHaveLength(1000);
    expect(text.length).toBeLessThan(200_000);
    const whole = await shop.admin.get<Groups>("/coupons/_aggregate?distinct=code,channel");
    expect(whole.body.data).toEqual([
      { by: {}, count: 60_001, distinct: { code: 60_001, channel: 1 } },
    ]);
  });

  test("groups of over 16 MB are refused", async () => {
    await shop.app.db.query(
      `insert into customers (id, name, email, level, newsletter, notes)
       select gen_random_uuid(), 'N' || n, n || '@example.org', 'gold', false, repeat('x', 2000) from generate_series(1, 1000) as n`,
    );
    await shop.app.db.query(
      `insert into orders (id, number, customer_id, status, placed_at)
       select gen_random_uuid(), 100 + row_number() over (), id, 'open', now() from customers where notes like 'xxx%'`,
    );
    const query =
      "by=customerId&perPage=1000&include=customer&include[customer][fields]=name,notes";
    expect((await ask(query)).status).toBe(200);
    await shop.app.db.query("alter table customers drop constraint customers__notes__length");
    await shop.app.db.query("update customers set notes = repeat('x', 20000)");
    expect(parameters(await ask(query))).toEqual(["perPage"]);
  });
});

describe("a value that an owner may not see", () => {
  let app: RunningApp;
  let ada: Client;
  let auditor: Client;
  beforeAll(async () => {
    app = await startApp("apps/notes");
    ada = client(app.url, await app.signIn(null));
    auditor = client(app.url, await app.signIn("auditor"));
    const bob = client(app.url, await app.signIn(null));
    for (const [caller, text] of [
      [ada, "hers"],
      [bob, "his"],
    ] as const) {
      const book = await created(caller, "notebooks", { title: text });
      const note = await created(caller, "notes", { notebookId: book.id, text });
      await created(caller, "bookmarks", { noteId: note.id, label: text });
    }
    await created(ada, "bookmarks", { label: "none" });
  });
  afterAll(() => app.close());

  test("groups as empty, and counts as no value", async () => {
    const path = "/bookmarks/_aggregate?by=note.text&distinct=note.text,noteId";
    const hers = await ada.get<Groups>(path);
    expect(hers.body.data).toEqual([
      { by: { "note.text": "hers" }, count: 1, distinct: { "note.text": 1, noteId: 1 } },
      { by: { "note.text": null }, count: 2, distinct: { "note.text": 0, noteId: 1 } },
    ]);
    const all = await auditor.get<Groups>(path);
    expect(all.body.data.map(({ by }) => by["note.text"])).toEqual(["hers", "his", null]);
  });

  test("has no record beside its id", async () => {
    const query = "by=noteId&include=note&include[note][fields]=text";
    const { body } = await ada.get<Groups>(`/bookmarks/_aggregate?${query}`);
    const shown = body.data.map(({ by }) => by.note);
    expect(shown).toHaveLength(3);
    expect(shown.filter((note) => note !== null)).toEqual([
      expect.objectContaining({ text: "hers" }),
    ]);
  });

  test("is an unknown field if the rule excludes the caller", async () => {
    const query = "by=note.remark";
    expect(parameters(await ada.get(`/bookmarks/_aggregate?${query}`))).toEqual(["by"]);
    expect((await auditor.get(`/bookmarks/_aggregate?${query}`)).status).toBe(200);
  });
});
