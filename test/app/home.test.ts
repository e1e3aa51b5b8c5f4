import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectRefusal, paths } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type Client, client } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let [ada, bob, chief]: RuledCaller[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([["tasks.yaml", "fields: { title: { type: string } }\n"]]),
    settings:
      "auth: { check_breached_passwords: false, operators: [chief] }\nserver: { host: 127.0.0.1 }\n",
  });
  [ada, bob, chief] = await Promise.all([null, null, "chief"].map((role) => app.caller(role)));
});
beforeEach(() => app.db.query("delete from service.homes"));
afterAll(() => app.close());

const path = "/_service/home";

interface Home {
  readonly own: readonly object[] | null;
  readonly shared: readonly object[] | null;
}

function of(caller: RuledCaller | undefined): Client {
  return caller?.client ?? expect.unreachable();
}

async function homeOf(caller: Client): Promise<Home> {
  const { status, text, body } = await caller.get<Home>(path);
  expect(status, text).toBe(200);
  return body;
}

/** Sends a body as JSON text, for what `JSON.stringify` cannot make. */
const putText = (caller: Client, text: string, headers: Record<string, string> = {}) =>
  caller.send("PUT", path, { text, headers });

/** A list of blocks with this size as JSON. */
const blocksOf = (bytes: number) => [{ a: "x".repeat(bytes - '[{"a":""}]'.length) }];

test("an account stores its blocks, replaces them, and removes them with null", async () => {
  const nothing = { own: null, shared: null };
  expect(await homeOf(of(ada))).toEqual(nothing);
  const own = [{ kind: "chart", resource: "tasks", more: { b: 1, a: [null, "ñ", 2.5] } }, {}];
  const stored = await of(ada).put<Home>(path, { own });
  expect([stored.status, stored.body]).toEqual([200, { own, shared: null }]);
  expect(stored.text).toContain('"more":{"b":1,"a":[null,"ñ",2.5]}');
  expect(await homeOf(of(ada))).toEqual({ own, shared: null });
  expect(await homeOf(of(bob))).toEqual(nothing);
  expect((await of(ada).put(path, { own: [] })).body).toEqual({ own: [], shared: null });
  expect((await of(ada).put(path, { own: null })).body).toEqual(nothing);
  expect((await of(ada).put(path, { own: null })).status).toBe(200);
  expect(await app.db.query("select 1 from service.homes")).toEqual([]);
});

test("operators share blocks with all accounts, beside those of each account", async () => {
  const shared = [{ kind: "number" }];
  expect((await of(chief).put(path, { shared })).body).toEqual({ own: null, shared });
  const own = [{ kind: "list" }];
  expect((await of(ada).put(path, { own })).body).toEqual({ own, shared });
  expect(await homeOf(of(bob))).toEqual({ own: null, shared });
  expect((await of(chief).put(path, { shared: [] })).status).toBe(200);
  expect(await homeOf(of(ada))).toEqual({ own, shared: [] });
  expect((await of(chief).put(path, { shared: null })).status).toBe(200);
  expect(await homeOf(of(ada))).toEqual({ own, shared: null });
});

test("only operators who signed in recently share; others get no issues of what they sent", async () => {
  for (const shared of [[], null, 1]) {
    expectRefusal(await of(ada).put(path, { shared }), 403);
    expectRefusal(await of(ada).put(path, { own: [], shared }), 403);
  }
  const late = await app.caller("chief");
  await app.db.query(
    "update service.sessions set created_at = created_at - interval '25 hours' where user_id = $1",
    [late.id],
  );
  const stale = await late.client.put<{ code?: string }>(path, { shared: [] });
  expect([stale.status, stale.body.code]).toEqual([403, "SESSION_NOT_FRESH"]);
  expect((await late.client.put(path, { own: [] })).status).toBe(200);
  expect((await homeOf(of(chief))).shared).toBeNull();
});

test("a service token stores the blocks of its account, and shares none", async () => {
  const made = await of(chief).post<{ token: string }>("/auth/service-tokens", { name: "Program" });
  expect(made.status, made.text).toBe(201);
  const program = client(app.url, made.body.token);
  expect((await program.put(path, { own: [{}] })).status).toBe(200);
  expect((await homeOf(of(chief))).own).toEqual([{}]);
  const refused = await program.put<{ code?: string }>(path, { shared: [] });
  expect([refused.status, refused.body.code]).toEqual([403, "SESSION_NOT_FRESH"]);
});

test("without a token there is no home", async () => {
  const anonymous = client(app.url, null);
  expectRefusal(await anonymous.get(path), 401);
  expectRefusal(await anonymous.put(path, { own: [] }), 401);
  expectRefusal(await anonymous.put(path, { shared: [] }), 401);
});

test("an operator who views an account sees its home, and changes none", async () => {
  await of(ada).put(path, { own: [{ kind: "list" }] });
  const made = await of(chief).post<{ token: string }>(`/_service/accounts/${ada?.id}/view`, {
    reason: "Ticket 1",
  });
  expect(made.status, made.text).toBe(201);
  const viewer = client(app.url, made.body.token);
  expect((await homeOf(viewer)).own).toEqual([{ kind: "list" }]);
  expect((await viewer.put(path, { own: [] })).status).toBe(403);
  expect((await viewer.put(path, { shared: [] })).status).toBe(403);
});

test("every form but a list of objects, or null, is refused", async () => {
  for (const own of [1, "a", true, {}, { 0: {} }]) {
    expect([own, paths(await of(ada).put(path, { own }))]).toEqual([own, ["own"]]);
  }
  const mixed = [{}, 1, null, [], "a"];
  expect(paths(await of(ada).put(path, { own: mixed }))).toEqual([
    "own.1",
    "own.2",
    "own.3",
    "own.4",
  ]);
  expect(paths(await of(chief).put(path, { shared: 1 }))).toEqual(["shared"]);
  expect(paths(await of(ada).put(path, {}))).toEqual([""]);
  expect(paths(await of(chief).put(path, { own: [], shared: [] }))).toEqual([""]);
  expect(paths(await of(ada).put(path, { own: [], more: 1 }))).toEqual(["more"]);
  expect(await homeOf(of(ada))).toEqual({ own: null, shared: null });
});

test("parameters, other methods, other types and other JSON are refused", async () => {
  expectRefusal(await of(ada).get(`${path}?page=1`), 400, ["issues"]);
  expectRefusal(await of(ada).send("PUT", `${path}?page=1`, { text: '{"own":[]}' }), 400, [
    "issues",
  ]);
  expectRefusal(await of(ada).post(path, { own: [] }), 405);
  expectRefusal(await of(ada).delete(path), 405);
  expectRefusal(await putText(of(ada), '{"own":[]}', { "content-type": "text/plain" }), 415);
  for (const text of ["[]", "null", "{", '{"own":[}']) {
    expectRefusal(await putText(of(ada), text), 400);
  }
});

test("a list has at most 32 kB, however its characters are written", async () => {
  const most = blocksOf(32_768);
  expect((await of(ada).put(path, { own: most })).status).toBe(200);
  expect((await homeOf(of(ada))).own).toEqual(most);
  const own = most.map(({ a }) => `{"a":"${"\\u0078".repeat(a.length)}"}`);
  expect((await putText(of(ada), `{ "own": [${own}] }`)).status).toBe(200);
  expect(paths(await of(ada).put(path, { own: blocksOf(32_769) }))).toEqual(["own"]);
  expect(paths(await of(ada).put(path, { own: [{ a: "ñ".repeat(16_384) }] }))).toEqual(["own"]);
  expect(paths(await of(chief).put(path, { shared: blocksOf(32_769) }))).toEqual(["shared"]);
  expectRefusal(await of(ada).put(path, { own: blocksOf(256 * 1024) }), 413);
  expect((await homeOf(of(ada))).own).toEqual(most);
});

test("text that PostgreSQL cannot store is refused, wherever it is", async () => {
  for (const wrong of ["\\u0000", "\\ud800", "\\udc00 \\ud800"]) {
    for (const block of [
      `{"a":"${wrong}"}`,
      `{"${wrong}":1}`,
      `{"a":[{"b":"${wrong}"}]}`,
      `{"a":{"${wrong}":{}}}`,
    ]) {
      const reply = await putText(of(ada), `{"own":[{},${block}]}`);
      expect([block, reply.status, paths(reply)]).toEqual([block, 422, ["own.1"]]);
    }
    expectRefusal(await putText(of(ada), `{"own":[],"${wrong}":1}`), 422, ["issues"]);
  }
  expect(paths(await putText(of(ada), '{"own":[{"a":1e999}]}'))).toEqual(["own.0"]);
  const kept = '{"own":[{"a":"\\ud83d\\ude00","b":1e300,"__proto__":{"c":1}}]}';
  const reply = await putText(of(ada), kept);
  expect([reply.status, reply.text]).toEqual([
    200,
    '{"own":[{"a":"😀","b":1e+300,"__proto__":{"c":1}}],"shared":null}',
  ]);
});

test("a list is at most 32 levels deep", async () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  expect((await putText(of(ada), `{"own":[{"a":${nested(30)}}]}`)).status).toBe(200);
  expect(paths(await putText(of(ada), `{"own":[{"a":${nested(31)}}]}`))).toEqual(["own"]);
  expectRefusal(await putText(of(ada), `{"own":[{"a":${nested(62)}}]}`), 400);
  expectRefusal(await putText(of(ada), `{"own":[{"a":${nested(50_000)}}]}`), 400);
});

test("of several writes at once, one is stored whole", async () => {
  for (const client of [of(ada), of(chief)]) {
    const key = client === of(ada) ? "own" : "shared";
    const bodies = [1, 2, 3, 4, 5, 6].map((n) => ({ [key]: n === 6 ? null : [{ n }, { n }] }));
    const replies = await Promise.all(bodies.map((body) => client.put(path, body)));
    expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    const home = await homeOf(client);
    expect(bodies.map((body) => body[key])).toContainEqual(home[key as keyof Home]);
    const rows = await app.db.query("select 1 from service.homes where (user_id is null) = $1", [
      key === "shared",
    ]);
    expect(rows.length).toBeLessThanOrEqual(1);
  }
});

test("a deleted account's blocks are deleted with it, and shared ones stay", async () => {
  const leaver = await app.caller(null);
  const shared = [{ kind: "number" }];
  await leaver.client.put(path, { own: [{}] });
  await of(chief).put(path, { shared });
  expect((await of(chief).delete(`/_service/accounts/${leaver.id}`)).status).toBe(204);
  expect(await app.db.query("select user_id from service.homes")).toEqual([{ user_id: null }]);
  expect((await homeOf(of(ada))).shared).toEqual(shared);
  expectRefusal(await leaver.client.put(path, { own: [{}] }), 401);
});
