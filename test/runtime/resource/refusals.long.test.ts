import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal, openShop, type Shop } from "../../support/apps/shop.js";
import type { Client } from "../../support/http/client.js";

const unknownId = "01890000-0000-7000-8000-000000000000";

let shop: Shop;
let id: string;
beforeAll(async () => {
  shop = await openShop();
  id = (await created(shop.admin, "products", shop.product("Chair"))).id;
});
afterAll(() => shop.app.close());

const text = (value: string) => ({ text: value, headers: { "content-type": "text/plain" } });

test("an unknown path is 404 before everything else", async () => {
  const headers = { accept: "text/html" };
  for (const path of [
    "/nothing",
    "/Products",
    "/products/a/b",
    "/",
    "/_service",
    "/_service/Ping",
  ]) {
    expectRefusal(await shop.anonymous.send("PATCH", path, { text: "{", headers }), 404);
  }
});

test("a method that a path does not have is 405 with Allow, before Accept and token", async () => {
  const sent = { headers: { accept: "text/html" } };
  const list = await shop.anonymous.send("DELETE", "/products", sent);
  expectRefusal(list, 405);
  expect(allowed(list.headers.allow)).toEqual(["GET", "HEAD", "POST"]);
  const one = await shop.anonymous.send("POST", `/products/${id}`, sent);
  expectRefusal(one, 405);
  expect(allowed(one.headers.allow)).toEqual(["DELETE", "GET", "HEAD", "PATCH", "PUT"]);
  const stats = await shop.anonymous.send("POST", "/products/_stats", sent);
  expectRefusal(stats, 405);
  expect(allowed(stats.headers.allow)).toEqual(["GET", "HEAD"]);
});

test("an Accept that excludes JSON is 406 before the token", async () => {
  for (const accept of ["text/html", "application/json;q=0", "image/*, application/xml"]) {
    expectRefusal(await shop.anonymous.send("GET", "/products", { headers: { accept } }), 406);
  }
});

test("an Accept that allows JSON, or none, is answered", async () => {
  for (const accept of [
    undefined,
    "*/*",
    "application/*",
    "text/html, application/json;q=0.1",
    "application/json; charset=utf-8",
    "application/json;q=0.9;indent=4, text/html",
  ]) {
    const reply = await shop.admin.send("GET", "/products", { headers: { accept } });
    expect(reply.status).toBe(200);
  }
});

test("a missing or wrong token is 401 with WWW-Authenticate, before the form of the body", async () => {
  const tokens = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Basic YTpi",
    `Bearer ${"a".repeat(43)}`,
  ];
  for (const authorization of [
    ...tokens,
    `bearer  ${"é".repeat(3)}`,
    `Bearer ${"a".repeat(5000)}`,
  ]) {
    const reply = await shop.anonymous.send("POST", "/products", {
      text: "{",
      headers: { authorization: authorization && Buffer.from(authorization).toString("latin1") },
    });
    expectRefusal(reply, 401);
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  }
});

test("a token in the query does not count", async () => {
  const token = encodeURIComponent(shop.app.token);
  expectRefusal(await shop.anonymous.get(`/products?token=${token}`), 401);
  expectRefusal(await shop.anonymous.get(`/products?access_token=${token}`), 401);
});

test("the scheme's name is case-insensitive", async () => {
  const headers = { authorization: `bearer ${shop.app.token}` };
  expect((await shop.anonymous.send("GET", "/products", { headers })).status).toBe(200);
});

test("the access rule's 403 comes before the form of the body and the record", async () => {
  expectRefusal(await shop.member.send("POST", "/products", text("x")), 403);
  expectRefusal(await shop.member.send("PATCH", `/products/${unknownId}`, text("x")), 403);
  expectRefusal(await shop.member.delete("/products/no-id"), 403);
});

test("a body whose type is not JSON is 415, even when too large", async () => {
  const large = "x".repeat(1_100_000);
  for (const type of [
    undefined,
    "text/plain",
    "application/merge-patch+json",
    "application/jsonp",
  ]) {
    const sent = { text: large, headers: { "content-type": type } };
    expectRefusal(await shop.admin.send("POST", "/products", sent), 415);
  }
  const merge = { text: "{}", headers: { "content-type": "application/merge-patch+json" } };
  expectRefusal(await shop.admin.send("PUT", `/products/${id}`, merge), 415);
  const latin = { "content-type": "application/merge-patch+json; charset=latin1" };
  expectRefusal(
    await shop.admin.send("PATCH", `/products/${id}`, { text: "{}", headers: latin }),
    415,
  );
  const coded = { text: "{}", headers: { "content-encoding": "gzip" } };
  expectRefusal(await shop.admin.send("POST", "/products", coded), 415);
});

test("a request with Content-Range is 400 by every method, after 404, 405, 401 and 403", async () => {
  const ask = async (method: string, path: string, by = shop.admin, range = "bytes 0-4/11") => {
    const body = ["POST", "PUT", "PATCH"].includes(method) ? { text: "{}" } : {};
    const reply = await by.send(method, path, { ...body, headers: { "content-range": range } });
    return reply.status;
  };
  const paths = ["/products", `/products/${id}`, "/auth/me", "/_service/ping", "/auth/config"];
  for (const path of paths) expect(await ask("GET", path), path).toBe(400);
  for (const path of ["/products", "/products/_query", "/_service/batch", "/auth/token"]) {
    expect(await ask("POST", path), path).toBe(400);
  }
  for (const method of ["PATCH", "PUT", "DELETE"]) {
    expect(await ask(method, `/products/${id}`), method).toBe(400);
  }
  for (const range of ["", "bytes 0-10/11", "bytes */11", "nonsense"]) {
    expect(await ask("PATCH", `/products/${id}`, shop.admin, range)).toBe(400);
  }
  expect(await ask("POST", "/products", shop.member)).toBe(403);
  expect(await ask("GET", "/products", shop.anonymous)).toBe(401);
  expect(await ask("GET", "/nothing")).toBe(404);
  expect(await ask("POST", "/_service/ping")).toBe(405);
});

test("a write with unknown parameters is 400, with each of them", async () => {
  const record = `/products/${id}`;
  const writes = [
    ["POST", "/products"],
    ["POST", "/products/_query"],
    ["POST", "/products/_aggregate"],
    ["PATCH", record],
    ["PUT", record],
    ["DELETE", record],
    ["POST", "/_service/batch"],
    ["PATCH", "/auth/me"],
    ["DELETE", "/auth/sessions"],
  ] as const;
  for (const [method, path] of writes) {
    const body = method === "DELETE" ? {} : { text: "{}" };
    const reply = await shop.admin.send(method, `${path}?fields=name&force=true`, body);
    expectRefusal(reply, 400, ["issues"]);
    const unknown = ["fields", "force"].map((param) => ({ param, message: "Unknown parameter" }));
    expect(reply.body).toMatchObject({ issues: unknown });
  }
  expectRefusal(await shop.anonymous.send("DELETE", `${record}?force=true`), 401);
  expectRefusal(await shop.member.send("DELETE", `${record}?force=true`), 403);
  expect((await shop.admin.patch(`${record}?`, {})).status).toBe(200);
});

test("a JSON type with parameters is accepted", async () => {
  const sent = { text: "{}", headers: { "content-type": "Application/JSON; charset=UTF-8" } };
  expect((await shop.admin.send("PATCH", `/products/${id}`, sent)).status).toBe(200);
});

test("a body over the limit is 413, before it is read as JSON", async () => {
  expectRefusal(await shop.admin.send("POST", "/products", { text: "{".repeat(1_048_577) }), 413);
  const chunked = { text: "{".repeat(2_000_000), headers: { "content-length": undefined } };
  expectRefusal(await shop.admin.send("POST", "/products", chunked), 413);
});

test("a body of exactly the limit is read", async () => {
  const body = `{"name":"${"x".repeat(1_048_576 - 11)}"}`;
  expect(Buffer.byteLength(body)).toBe(1_048_576);
  expectRefusal(await shop.admin.send("POST", "/products", { text: body }), 422, ["issues"]);
});

test("a body that is not a JSON object is 400, on PATCH too and before the record's 404", async () => {
  const bodies = [
    "",
    " ",
    "{",
    "null",
    "[]",
    '"x"',
    "1",
    "{'a':1}",
    '{"name":"a",}',
    "NaN",
    "\u{FEFF}x",
  ];
  const deep = `${"[".repeat(1000)}${"]".repeat(1000)}`;
  for (const text of [...bodies, deep, Buffer.from('{"name":"\xff"}', "latin1")]) {
    expectRefusal(await shop.admin.send("POST", "/products", { text }), 400);
    expectRefusal(await shop.admin.send("PATCH", `/products/${unknownId}`, { text }), 400);
    expectRefusal(await shop.admin.send("PUT", `/products/${unknownId}`, { text }), 400);
  }
});

test("the values of a body of 64 levels are checked, and one of 65 is 400", async () => {
  const post = (levels: number) => {
    const deep = `${'{"a":'.repeat(levels - 1)}1${"}".repeat(levels - 1)}`;
    return shop.admin.send("POST", "/products", { text: `{"name":${deep},"more":${deep}}` });
  };
  expectRefusal(await post(64), 422, ["issues"]);
  for (const levels of [65, 66, 1_000]) expectRefusal(await post(levels), 400);
});

test("a missing record is 404 before its values are checked", async () => {
  for (const missing of [
    unknownId,
    "1",
    "no-uuid",
    `${id}0`,
    "%00",
    "'; drop table products; --",
  ]) {
    const path = `/products/${missing.startsWith("%") ? missing : encodeURIComponent(missing)}`;
    expectRefusal(await shop.admin.get(path), 404);
    expectRefusal(await shop.admin.patch(path, { name: 1 }), 404);
    expectRefusal(await shop.admin.put(path, {}), 404);
    expectRefusal(await shop.admin.delete(path), 404);
  }
});

test("a malformed escape in a path is 4xx", async () => {
  const reply = await shop.admin.get("/products/%E0%A4%A");
  expect([400, 404]).toContain(reply.status);
});

test("HEAD answers as GET, without a body", async () => {
  for (const [caller, path] of [
    [shop.admin, `/products/${id}`],
    [shop.admin, "/products"],
    [shop.admin, `/products/${unknownId}`],
    [shop.anonymous, "/products"],
  ] satisfies [Client, string][]) {
    const get = await caller.get(path);
    const head = await caller.send("HEAD", path);
    expect(head.status).toBe(get.status);
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(head.text).toBe("");
  }
});

test("OPTIONS answers 204 with Allow, without a token", async () => {
  const reply = await shop.anonymous.send("OPTIONS", "/products");
  expect(reply.status).toBe(204);
  expect(reply.text).toBe("");
  expect(allowed(reply.headers.allow)).toEqual(["GET", "HEAD", "POST"]);
});

test("a client that disconnects within its body affects no others", async () => {
  const { hostname, port } = new URL(shop.app.url);
  const headers = {
    authorization: `Bearer ${shop.app.token}`,
    "content-type": "application/json",
    "content-length": 1000,
  };
  await new Promise<void>((resolve) => {
    const outgoing = request({ hostname, port, method: "POST", path: "/api/products", headers });
    outgoing.on("error", () => resolve());
    outgoing.write('{"name":');
    setTimeout(() => outgoing.destroy(), 50);
  });
  expect((await shop.admin.get(`/products/${id}`)).status).toBe(200);
});

/** The methods of an Allow header, sorted; OPTIONS may be named or not. */
function allowed(header: string | undefined): string[] {
  const methods = (header ?? "").split(/, */);
  return methods.filter((method) => method !== "OPTIONS").sort();
}

test("the form of the body is checked before the record's id", async () => {
  expectRefusal(await shop.admin.send("PATCH", "/products/nope", { text: "{" }), 400);
  expectRefusal(await shop.admin.send("PUT", "/products/nope", text("{}")), 415);
  expectRefusal(await shop.admin.patch("/products/nope", {}), 404);
});

test("a query string over 8 kB is refused everywhere", async () => {
  const long = "x".repeat(10_000);
  for (const path of [`/products/${id}?${long}`, `/_service/ping?${long}`, `/products?q=${long}`]) {
    expectRefusal(await shop.admin.get(path), 414);
  }
});

/** So many keys that nothing knows. */
function junk(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, ""]));
}

test("a hundred mistakes of a body are listed, and the number of the others", async () => {
  for (const count of [101, 400, 80_000]) {
    const body = junk(count);
    for (const reply of [
      await shop.admin.post("/products", { ...shop.product("Junk"), ...body }),
      await shop.admin.put(`/products/${id}`, {
        ...shop.product("Junk", { active: true, status: "live" }),
        ...body,
      }),
      await shop.admin.patch(`/products/${id}`, body),
    ]) {
      expectRefusal(reply, 422, ["issues"]);
      expect(issuesOf(reply)).toHaveLength(101);
      const more = count === 101 ? "1 more mistake is" : `${count - 100} more mistakes are`;
      expect(issuesOf(reply).slice(-2)).toEqual([
        { path: "k99", message: "Unknown field" },
        { path: "", message: `${more} not listed` },
      ]);
    }
  }
  const known = { email: "ada@example.com", password: "x" };
  const account = await shop.anonymous.post("/auth/token", { ...known, ...junk(101) });
  expect(issuesOf(account).slice(-2)).toEqual([
    { path: "k99", message: "Is not a known key" },
    { path: "", message: "1 more mistake is not listed" },
  ]);
  const exact = await shop.anonymous.post("/auth/token", { ...known, ...junk(100) });
  expect(issuesOf(exact)).toHaveLength(100);
});

test("a hundred mistakes of a query string are listed, and the number of the others", async () => {
  const query = Object.keys(junk(150)).join("&");
  for (const path of ["/products", "/products/_stats"]) {
    const reply = await shop.admin.get(`${path}?${query}`);
    expectRefusal(reply, 400, ["issues"]);
    expect(issuesOf(reply)).toHaveLength(101);
    expect(issuesOf(reply).slice(-2)).toEqual([
      { param: "k99", message: "Unknown parameter" },
      { param: "", message: "50 more mistakes are not listed" },
    ]);
  }
});

function issuesOf({ body }: { readonly body: unknown }): readonly unknown[] {
  return (body as { issues: unknown[] }).issues;
}

test("a body of the account routes is 413 beyond 16 384 bytes, on every route", async () => {
  const padded = (bytes: number) => `{}${" ".repeat(bytes - 2)}`;
  const paths = [
    ["POST", "/auth/token"],
    ["POST", "/auth/magic-link"],
    ["POST", "/auth/email/verify"],
    ["POST", "/auth/two-factor/verify"],
    ["POST", "/auth/passkey"],
    ["POST", "/auth/passkeys"],
    ["PATCH", "/auth/me"],
  ] as const;
  for (const [method, path] of paths) {
    expectRefusal(await shop.admin.send(method, path, { text: padded(16_385) }), 413);
    expect((await shop.admin.send(method, path, { text: padded(16_384) })).status).not.toBe(413);
  }
  // Others keep their own limit.
  expectRefusal(await shop.admin.send("POST", "/products", { text: padded(20_000) }), 422, [
    "issues",
  ]);
});
