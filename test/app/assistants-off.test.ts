import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { client } from "../support/http/client.js";
import { startAssistedApp } from "../support/oauth/assisted-app.js";

let app: WrittenApp;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([["products.yaml", "fields: { name: { type: string } }\n"]]),
    settings: "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1, mcp: true }\n",
  });
});
afterAll(() => app.close());

test.each([
  ["GET", "/.well-known/oauth-protected-resource"],
  ["GET", "/.well-known/oauth-protected-resource/api/_service/mcp"],
  ["GET", "/.well-known/oauth-authorization-server"],
  ["POST", "/api/oauth/authorize"],
  ["POST", "/api/oauth/token"],
  ["POST", "/api/oauth/revoke"],
  ["GET", "/api/auth/apps"],
  ["DELETE", "/api/auth/apps/01890000-0000-7000-8000-000000000001"],
])("without auth.apps there is no %s %s", async (method, path) => {
  const { client: ada } = await app.caller(null);
  expect((await ada.get("/auth/me")).status).toBe(200);
  const answer = await fetch(`${app.url}${path}`, { method });
  expect(answer.status).toBe(404);
});

test("without it the challenge only asks for a token", async () => {
  const reply = await client(app.url, null).post("/_service/mcp", {});
  expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  const acting = client(app.url, `app_${"a".repeat(43)}`);
  expect((await acting.get("/products")).status).toBe(401);
});

test("if assistants may only read, the challenge names only that scope", async () => {
  const shop = await startAssistedApp("read");
  const { headers } = await client(shop.app.url, null).post("/_service/mcp", {});
  expect(headers["www-authenticate"]).toMatch(/, scope="read"$/);
  await shop.close();
});
