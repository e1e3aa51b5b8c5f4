import type { Request } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnApp, shopDatabase, startCodeApp } from "../../support/apps/code-app.js";
import { expectRefusal } from "../../support/apps/shop.js";
import type { TestDatabase } from "../../support/database/database.js";
import { client } from "../../support/http/client.js";

class Locked extends Error {
  readonly status = 423;
}

/** As an operator would write it: with Express's own methods of a request. */
async function authenticate(request: Request) {
  const name = request.get("X-Person");
  if (name === undefined) return null;
  if (name === "broken") throw new Error("a secret of the directory");
  if (name === "locked") throw new Locked("Locked");
  const role = name === "none" ? null : name;
  return { accountId: `${name} from ${request.ip}`, role, sessionId: null };
}

let database: TestDatabase;
let app: OwnApp;
const seen: unknown[] = [];
beforeAll(async () => {
  database = await shopDatabase();
  const policies = {
    products: {
      list: (caller: unknown) => {
        seen.push(caller);
        return true;
      },
    },
  };
  app = await startCodeApp(database, "auth: { enabled: false }\n", {
    options: { authenticate, policies },
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const as = (person: string) => ({ headers: { "x-person": person } });

/** Every account route of the specification. */
const authRoutes = `
  GET /auth/config
  POST /auth/token
  DELETE /auth/token
  POST /auth/two-factor/send
  POST /auth/two-factor/verify
  POST /auth/passkey/options
  POST /auth/passkey
  POST /auth/magic-link
  POST /auth/magic-link/verify
  POST /auth/email-code
  POST /auth/email-code/verify
  POST /auth/register
  POST /auth/email/send
  POST /auth/email/verify
  POST /auth/password/forgot
  POST /auth/password/reset
  GET /auth/me
  PATCH /auth/me
  PUT /auth/avatar?name=me.png
  POST /auth/password
  GET /auth/sessions
  DELETE /auth/sessions
  DELETE /auth/sessions/01890000-0000-7000-8000-000000000000
  POST /auth/two-factor/enable
  POST /auth/two-factor/confirm
  POST /auth/two-factor/disable
  POST /auth/two-factor/backup-codes
  GET /auth/passkeys
  POST /auth/passkeys/options
  POST /auth/passkeys
  PATCH /auth/passkeys/01890000-0000-7000-8000-000000000000
  DELETE /auth/passkeys/01890000-0000-7000-8000-000000000000
`
  .trim()
  .split("\n")
  .map((line) => line.trim().split(" "));

test.each(authRoutes)("without sign-in %s %s does not exist", async (method = "", path = "") => {
  const reply = await client(app.url, null).send(method, path, { text: "{}", ...as("admin") });
  expectRefusal(reply, 404);
  expectRefusal(await client(app.url, null).send("OPTIONS", path, as("admin")), 404);
});

test("callers whom `authenticate` returns are let in, and no others", async () => {
  const caller = client(app.url, null);
  expect((await caller.send("GET", "/products", as("none"))).status).toBe(200);
  const refused = await caller.send("GET", "/products");
  expectRefusal(refused, 401);
  expect(refused.headers["www-authenticate"]).toBe("Bearer");
  expectRefusal(await client(app.url, "a".repeat(43)).get("/products"), 401);
});

test("the caller's role decides what the rules say", async () => {
  const caller = client(app.url, null);
  const text = JSON.stringify({ name: "Chairs" });
  expectRefusal(await caller.send("POST", "/categories", { text, ...json("none") }), 403);
  expectRefusal(await caller.send("POST", "/categories", { text, ...json("guest") }), 403);
  const made = await caller.send<{ id: string }>("POST", "/categories", { text, ...json("admin") });
  expect(made.status).toBe(201);
  const path = `/categories/${made.body.id}`;
  expect((await caller.send("GET", path, as("none"))).body).toEqual(made.body);
  expectRefusal(await caller.send("DELETE", path, as("editor")), 403);
  expect((await caller.send("DELETE", path, as("admin"))).status).toBe(204);
});

function json(person: string) {
  return { headers: { "x-person": person, "content-type": "application/json" } };
}

test("policies get the caller as `authenticate` returned it", async () => {
  seen.length = 0;
  await client(app.url, null).send("GET", "/products", as("editor"));
  expect(seen).toEqual([{ accountId: "editor from 127.0.0.1", role: "editor", sessionId: null }]);
});

test("an error of `authenticate` is a bare 500, or its own 4xx", async () => {
  const caller = client(app.url, null);
  const broken = await caller.send("GET", "/products", as("broken"));
  expect([broken.status, broken.body]).toEqual([500, { error: "Internal server error" }]);
  // No document has this status, so the answer is not judged by it.
  const locked = await fetch(`${app.url}/api/products`, as("locked"));
  expect([locked.status, await locked.json()]).toEqual([423, { error: expect.any(String) }]);
});
