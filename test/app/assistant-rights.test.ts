import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { client } from "../support/http/client.js";
import { type AssistedApp, startAssistedApp } from "../support/oauth/assisted-app.js";
import { connect, newVerifier, queryOf } from "../support/oauth/flow.js";
import type { RuledCaller } from "../support/rights/request.js";

let shop: AssistedApp;
let admin: RuledCaller;
let clientId: string;
let api: string;
beforeAll(async () => {
  shop = await startAssistedApp();
  admin = await shop.app.caller("admin");
  clientId = shop.site.publish("/client.json", {});
  api = `${shop.web}/api`;
});
afterAll(() => shop.close());

const tokenFor = async (resource: string | undefined, scope: string) => {
  const { access_token } = await connect(shop.app.url, admin.client, clientId, { resource, scope });
  return access_token;
};

const actingFor = async (resource: string | undefined, scope: string) =>
  client(shop.app.url, await tokenFor(resource, scope));

const callTool = (name: string, input: object) => ({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: { name, arguments: input },
});

test("an app with the read scope may only read; other requests are 403 and name the missing scope", async () => {
  const acting = await actingFor(api, "read");
  expect((await acting.get("/products")).status).toBe(200);
  expect((await acting.post("/products/_query", {})).status).toBe(200);
  expect((await acting.post("/products/_aggregate", {})).status).toBe(200);
  expect((await acting.get("/products/_aggregate")).status).toBe(200);
  const refused = await acting.post("/products", { name: "Tea" });
  expect(refused.status).toBe(403);
  expect(refused.headers["www-authenticate"]).toBe(
    'Bearer error="insufficient_scope", scope="read write"',
  );
  const id = "01890000-0000-7000-8000-000000000001";
  expect((await acting.patch(`/products/${id}`, { name: "Tea" })).status).toBe(403);
  expect((await acting.delete(`/products/${id}`)).status).toBe(403);
  expect((await acting.post("/_service/batch", { operations: [] })).status).toBe(403);
});

test("an app with the write scope writes for its account", async () => {
  const acting = await actingFor(api, "write");
  const { status, body } = await acting.post("/products", { name: "Tea" });
  expect(status).toBe(201);
  expect((await acting.get(`/products/${body.id}`)).body).toMatchObject({ name: "Tea" });
});

test("an app with the read scope has only the five tools that read", async () => {
  const acting = await actingFor(undefined, "read");
  for (const [name, input] of [
    ["list_resources", {}],
    ["find", { resource: "products" }],
    ["aggregate", { resource: "products" }],
    ["describe_resource", { resource: "products" }],
    ["get", { resource: "products", id: "01890000-0000-7000-8000-000000000001" }],
  ] as const) {
    const { status } = await acting.post("/_service/mcp", callTool(name, input));
    expect([name, status]).toEqual([name, 200]);
  }
  for (const name of ["create", "update", "delete", "batch", "search", "fetch"]) {
    const { status, headers } = await acting.post("/_service/mcp", callTool(name, {}));
    expect([name, status]).toEqual([name, 403]);
    expect(headers["www-authenticate"]).toBe(
      `Bearer error="insufficient_scope", scope="read write", resource_metadata="${shop.web}/.well-known/oauth-protected-resource"`,
    );
  }
});

test("a token for the assistant's address is not valid for the API", async () => {
  const token = await tokenFor(undefined, "write");
  const acting = client(shop.app.url, token);
  for (const path of ["/products", "/_service/resources", "/_service/profiles", "/auth/me"]) {
    expect([path, (await acting.get(path)).status]).toEqual([path, 401]);
  }
  expect((await acting.post("/_service/mcp/more", {})).status).toBe(404);
  const listed = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  expect((await acting.post("/_service/mcp", listed)).status).toBe(200);
});

test("a token for the API is valid for assistants too", async () => {
  const acting = await actingFor(api, "write");
  const { status } = await acting.post("/_service/mcp", callTool("list_resources", {}));
  expect(status).toBe(200);
});

test("no app can use operator routes, even if its account is an operator", async () => {
  const acting = await actingFor(api, "write");
  for (const path of ["accounts", "account-events", "service-tokens", "status"]) {
    expect([path, (await admin.client.get(`/_service/${path}`)).status]).toEqual([path, 200]);
    expect([path, (await acting.get(`/_service/${path}`)).status]).toEqual([path, 403]);
  }
  const invited = { name: "Eve", email: "eve@example.com" };
  expect((await acting.post("/_service/accounts", invited)).status).toBe(403);
});

test("an app stores its account's home with the write scope, and shares none", async () => {
  const [reader, writer] = [await actingFor(api, "read"), await actingFor(api, "write")];
  expect((await reader.get("/_service/home")).status).toBe(200);
  expect((await reader.put("/_service/home", { own: [] })).status).toBe(403);
  expect((await writer.put("/_service/home", { own: [{}] })).body).toEqual({
    own: [{}],
    shared: null,
  });
  expect((await writer.put("/_service/home", { shared: [{}] })).status).toBe(403);
  expect((await admin.client.get("/_service/home")).body).toMatchObject({ shared: null });
});

test("a response to a request without a token explains how to get one", async () => {
  const { status, headers } = await client(shop.app.url, null).post("/_service/mcp", {});
  expect(status).toBe(401);
  expect(headers["www-authenticate"]).toBe(
    `Bearer resource_metadata="${shop.web}/.well-known/oauth-protected-resource", scope="read write"`,
  );
});

test("a 401 for an expired or unknown token also names the document", async () => {
  const token = await tokenFor(undefined, "read");
  await connect(shop.app.url, admin.client, clientId, { scope: "read" });
  await shop.app.db.query("update service.app_tokens set expires_at = now() - interval '1 s'");
  for (const one of [token, `app_${"a".repeat(43)}`, "a".repeat(43)]) {
    const { status, headers } = await client(shop.app.url, one).post("/_service/mcp", {});
    expect([status, headers["www-authenticate"]]).toEqual([
      401,
      expect.stringContaining(`${shop.web}/.well-known/oauth-protected-resource`),
    ]);
  }
});

test("an operator who sees as another account connects no app", async () => {
  const { id } = await shop.app.caller(null);
  const made = await admin.client.post<{ token: string }>(`/_service/accounts/${id}/view`, {
    reason: "Ticket 1",
  });
  expect(made.status, made.text).toBe(201);
  const viewer = client(shop.app.url, made.body.token);
  const query = queryOf(clientId, newVerifier().challenge);
  for (const more of [{}, { allow: true }, { allow: false }]) {
    expect((await viewer.post("/oauth/authorize", { query, ...more })).status).toBe(403);
  }
  expect((await viewer.get("/auth/apps")).status).toBe(403);
});

test("the dashboard forwards an app's token and ignores cookies beside it", async () => {
  const token = await tokenFor(api, "read");
  const cookie = `service_token=${await newSession(shop.app.db, admin.id)}`;
  const statusOf = async (headers: Record<string, string>) => {
    const answer = await fetch(`${shop.web}/api/_service/accounts`, { headers });
    return [answer.status, answer.headers.get("set-cookie")];
  };
  expect(await statusOf({ cookie })).toEqual([200, null]);
  expect(await statusOf({ authorization: `Bearer ${token}` })).toEqual([403, null]);
  expect(await statusOf({ authorization: `Bearer ${token}`, cookie })).toEqual([403, null]);
  const unknown = `Bearer app_${"a".repeat(43)}`;
  expect(await statusOf({ authorization: unknown, cookie })).toEqual([401, null]);
  expect(await statusOf({ authorization: `Bearer ${"a".repeat(43)}`, cookie })).toEqual([
    200,
    null,
  ]);
});

test("the consent page is never shown in a frame", async () => {
  const headers = { accept: "text/html", "sec-fetch-mode": "navigate" };
  const page = await new Promise<IncomingMessage>((resolve) => {
    get(`${shop.web}/oauth/authorize?client_id=a`, { headers, agent: false }, resolve);
  });
  page.resume();
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(page.headers["referrer-policy"]).toBe("no-referrer");
});

test("a page of another site cannot give consent", async () => {
  const cookie = `service_token=${await newSession(shop.app.db, admin.id)}`;
  const answer = await fetch(`${shop.web}/api/oauth/authorize`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", "sec-fetch-site": "cross-site" },
    body: JSON.stringify({ query: "", allow: true }),
  });
  expect(answer.status).toBe(403);
});
