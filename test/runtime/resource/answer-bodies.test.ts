import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { dropOldest } from "../../../runtime/resource/idempotency/bound.js";
import { created, expectRefusal, openShop, type Shop } from "../../support/apps/shop.js";
import type { Client, Reply, Row } from "../../support/http/client.js";
import { rare, test } from "../../support/rare.js";

// The answers stored for an account take at most 16 MB; beyond that the oldest lose their bodies, and of batches the ids.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

const promised = 16 * 1024 * 1024;

/** Does not compress. */
const longText = () => randomBytes(48_000).toString("hex");

interface Keyed {
  readonly key: string;
  readonly body?: unknown;
  readonly caller?: Client;
}

function send<Body = Row>(method: string, path: string, { key, body, caller }: Keyed) {
  return (caller ?? shop.admin).send<Body>(method, path, {
    ...(body !== undefined && { text: JSON.stringify(body) }),
    headers: { "idempotency-key": key },
  });
}

async function kept(): Promise<{ answers: number; bodies: number; bytes: number }> {
  const [row] = await shop.app.db.query<Record<"answers" | "bodies" | "bytes", string>>(
    `select count(*) as answers, count(body) as bodies,
       coalesce(sum(coalesce(octet_length(body), 0) + coalesce(octet_length(outcomes), 0)), 0) as bytes
     from service.kept_answers`,
  );
  return {
    answers: Number(row?.answers),
    bodies: Number(row?.bodies),
    bytes: Number(row?.bytes),
  };
}

/** As after a great many keyed writes. */
async function dropAll(): Promise<void> {
  const accounts = await shop.app.db.query<{ id: string }>("select id from service.users");
  for (const { id } of accounts) {
    await dropOldest(shop.app.db, id, { column: "body", maxBytes: 0 });
  }
  expect((await kept()).bodies).toBe(0);
}

/** The first status and `Location`, with this record. */
function expectRecalled(again: Reply, first: Reply, now: Reply): void {
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect([again.status, again.text]).toEqual([first.status, now.text]);
  expect(again.headers.etag).toBe(now.headers.etag);
  expect(again.headers.location).toBe(first.headers.location);
}

rare(
  "a loop of keyed writes of a long record stores 16 MB, and each may still be repeated",
  async () => {
    await shop.app.db.query("delete from service.kept_answers");
    const { id } = await created(shop.admin, "products", {
      ...shop.product("Long"),
      description: longText(),
    });
    const path = `/products/${id}`;
    const other = { key: "other", body: { stock: 1 }, caller: shop.editor };
    const ofOther = await send("PATCH", path, other);
    const patch = (at: number) => send("PATCH", path, { key: `long-${at}`, body: { stock: at } });
    const replies: Reply[] = [];
    for (let at = 0; at < 200; at += 20) {
      const round = Array.from({ length: 20 }, (_, more) => patch(at + more));
      replies.push(...(await Promise.all(round)));
      expect((await kept()).bytes).toBeLessThan(promised);
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { answers, bytes } = await kept();
    expect(answers).toBe(201);
    // Not far less than is promised.
    expect(bytes).toBeGreaterThan(13 * 1024 * 1024);
    const now = await shop.admin.get(path);
    const [first, last] = [replies.at(0), replies.at(-1)];
    if (first === undefined || last === undefined) throw new Error("No answers");
    expectRecalled(await patch(0), first, now);
    expectRecalled(await patch(199), last, last);
    // Other accounts keep their answers.
    expectRecalled(await send("PATCH", path, other), ofOther, ofOther);
    expect((await shop.admin.get(path)).headers.etag).toBe(now.headers.etag);
  },
  60_000,
);

rare(
  "empty PATCHes, creates, replaces, deletes and batches in turn store 16 MB as well",
  async () => {
    await shop.app.db.query("delete from service.kept_answers");
    const long = (name: string) => ({ ...shop.product(name), description: longText() });
    const whole = (name: string) => ({ ...long(name), active: true, status: "live" });
    const one = async (at: number): Promise<void> => {
      const made = await send("POST", "/products", { key: `make-${at}`, body: long(`Long ${at}`) });
      const path = `/products/${made.body.id}`;
      const operations = [
        { update: "products", id: made.body.id, values: { stock: 2 } },
        { create: "products", values: long(`With ${at}`) },
        { update: "products", id: made.body.id, values: {} },
      ];
      const done = [
        await send("PATCH", path, { key: `nothing-${at}`, body: {} }),
        await send("PUT", path, { key: `whole-${at}`, body: whole(`Put ${at}`) }),
        await send("POST", "/_service/batch", { key: `batch-${at}`, body: { operations } }),
        await send("DELETE", path, { key: `gone-${at}` }),
      ];
      expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
    };
    for (let at = 0; at < 44; at += 4) {
      await Promise.all([one(at), one(at + 1), one(at + 2), one(at + 3)]);
      expect((await kept()).bytes).toBeLessThan(promised);
    }
    expect((await kept()).answers).toBe(44 * 5);
  },
  60_000,
);

test("without its body a response is the first status and Location, and the record as it is now", async () => {
  const body = shop.product("Recalled");
  const post = await send("POST", "/products", { key: "post", body });
  const path = `/products/${post.body.id}`;
  const whole = { ...body, active: true, status: "live" };
  const sent: [string, string, Keyed][] = [
    ["POST", "/products", { key: "post", body }],
    ["PATCH", path, { key: "patch", body: { stock: 5 } }],
    ["PUT", path, { key: "put", body: whole }],
    ["PATCH", path, { key: "empty", body: {} }],
  ];
  const first: Reply[] = [];
  for (const one of sent) first.push(await send(...one));
  await shop.admin.patch(path, { name: "Recalled again" });
  await dropAll();
  const now = await shop.admin.get(path);
  for (const [at, one] of sent.entries()) {
    const before = first[at];
    if (before === undefined) throw new Error("No answer");
    expectRecalled(await send(...one), before, now);
    expectRefusal(await send(one[0], one[1], { ...one[2], body: { ...body, stock: 9 } }), 422);
  }
  const remove = await send("DELETE", path, { key: "remove" });
  const again = await send("DELETE", path, { key: "remove" });
  expect([again.status, again.text]).toEqual([remove.status, remove.text]);
  expect(again.headers["idempotency-replayed"]).toBe("true");
  for (const one of sent) expectRefusal(await send(...one), 409);
});

test("a record that has not changed gets the first response, whatever the caller may now read", async () => {
  const body = { name: "Unread", email: "unread@example.com" };
  const first = await send("POST", "/customers", { key: "unread", body });
  expect(first.status).toBe(201);
  await dropAll();
  const again = await send("POST", "/customers", { key: "unread", body });
  expectRecalled(again, first, first);
});

interface Done {
  readonly data: readonly (Row | null)[];
  readonly errors?: readonly unknown[];
  readonly etags?: readonly (string | null)[];
}

test("a batch without its body has all its records as they are now, and 409 if one no longer exists", async () => {
  const [one, gone] = [
    await created(shop.admin, "products", shop.product("In a batch")),
    await created(shop.admin, "products", shop.product("Not in a batch")),
  ];
  const operations = [
    { create: "products", values: shop.product("Of a batch") },
    { update: "products", id: one.id, values: { stock: 3 } },
    { delete: "products", id: gone.id },
    { create: "products", values: { name: 1 } },
    { create: "reviews", values: { productId: { ref: 0 }, rating: 5, body: "A good product" } },
  ];
  const path = "/_service/batch?etags=true";
  const body = { atomic: false, operations };
  const repeat = () => send<Done>("POST", path, { key: "batch", body });
  const first = await repeat();
  expect(first.status, first.text).toBe(200);
  const atomic = { operations: operations.slice(1, 2) };
  const repeatAtomic = () => send<Done>("POST", "/_service/batch", { key: "atomic", body: atomic });
  const firstAtomic = await repeatAtomic();
  await shop.admin.patch(`/products/${one.id}`, { stock: 4 });
  await dropAll();
  const [made, , , , review] = first.body.data;
  const now = await Promise.all([
    shop.admin.get(`/products/${made?.id}`),
    shop.admin.get(`/products/${one.id}`),
    shop.admin.get(`/reviews/${review?.id}`),
  ]);
  const [madeNow, oneNow, reviewNow] = now;
  const again = await repeat();
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect([again.status, again.body]).toEqual([
    200,
    {
      data: [madeNow.body, oneNow.body, null, null, reviewNow.body],
      errors: [{ index: 3, status: 422, error: "Refused; the reason is no longer stored" }],
      etags: [madeNow.headers.etag, oneNow.headers.etag, null, null, reviewNow.headers.etag],
    },
  ]);
  const againAtomic = await repeatAtomic();
  expect([againAtomic.status, againAtomic.body]).toEqual([
    firstAtomic.status,
    { data: [oneNow.body] },
  ]);
  expect((await shop.admin.delete(`/reviews/${review?.id}`)).status).toBe(204);
  expectRefusal(await repeat(), 409);
  expect((await repeatAtomic()).status).toBe(200);
});

/** As after batches of a hundred new records each: what outlives their bodies, of this account. */
async function storeBatches(account: string, count: number): Promise<void> {
  const ids =
    "(select json_agg(gen_random_uuid()) from generate_series(1, 100) where batch > 0)::text";
  await shop.app.db.query(
    `insert into service.kept_answers (account_id, key, request, status, body, outcomes)
     select $1, 'stored ' || batch, '', 200, repeat('-', 24000), ${ids}
     from generate_series(1, $2::integer) as batch`,
    [account, count],
  );
}

test("responses without the bodies of batches are limited too: a replay of the oldest is 409", async () => {
  await shop.app.db.query("delete from service.kept_answers");
  const { id } = await created(shop.admin, "products", shop.product("In many batches"));
  const batch = (key: string, caller: Client) => {
    const body = { operations: [{ update: "products", id, values: {} }] };
    return send<Done>("POST", "/_service/batch", { key, body, caller });
  };
  const ofOther = await batch("oldest", shop.admin);
  const first = await batch("oldest", shop.editor);
  expect([ofOther.status, first.status]).toEqual([200, 200]);
  const { user } = (await shop.editor.get<{ user: { id: string } }>("/auth/me")).body;
  const { id: account } = user;
  await storeBatches(account, 600);
  // Chance decides when a write looks whether there are too many.
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  const last = await batch("last", shop.editor).finally(() => random.mockRestore());
  const [stored] = await shop.app.db.query<{ batches: number; bytes: number }>(
    `select count(outcomes)::integer as batches, sum(octet_length(outcomes))::integer as bytes
     from service.kept_answers where account_id = $1`,
    [account],
  );
  expect(stored?.bytes).toBeLessThanOrEqual(2 * 1024 * 1024);
  expect(stored?.batches).toBeGreaterThan(500);
  const { bytes } = await kept();
  expect(bytes).toBeLessThan(promised);
  expect(bytes).toBeGreaterThan(13 * 1024 * 1024);
  expectRefusal(await batch("oldest", shop.editor), 409);
  expectRecalled(await batch("last", shop.editor), last, last);
  expectRecalled(await batch("oldest", shop.admin), ofOther, ofOther);
});
