import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, client } from "../../../../support/http/client.js";
import { newestMail, tokenIn } from "../../support/mails.js";
import { forgetProof } from "../../support/rows.js";
import { type AuthServer, startAuth } from "../../support/server.js";

let server: AuthServer;
let anonymous: Client;
let email: string;

beforeAll(async () => {
  server = await startAuth(undefined, { SERVICE_WEB_URL: "https://shop.example.com/" });
  anonymous = client(server.url, null);
  email = await server.account("ada", "admin");
});
beforeEach(() => {
  server.clock.moveOn(3600);
  server.outbox.clear();
});
afterAll(() => server.close());

test("the mail greets its reader by name and holds the link and how long it works", async () => {
  const reply = await anonymous.post("/auth/magic-link", { email });
  expect(reply.status).toBe(204);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(server.outbox.messages).toEqual([
    {
      kind: "sign-in-link",
      to: "ada@example.com",
      name: "ada",
      link: expect.stringMatching(/^https:\/\/shop\.example\.com\/sign-in\/link\?token=[\w-]{43}$/),
      minutes: 5,
    },
  ]);
});

test("the mail shows no name that another person may have chosen", async () => {
  const other = await server.account("eve");
  await forgetProof(server, other);
  await anonymous.post("/auth/magic-link", { email: other });
  expect(newestMail(server, other, "sign-in-link").name).toBeNull();
});

test("the link signs in: the response has a token and the user, and the session records the proof", async () => {
  await anonymous.post("/auth/magic-link", { email });
  const token = tokenIn(newestMail(server, email, "sign-in-link").link);
  const body = { token, deviceName: " Phone " };
  const reply = await anonymous.post<{ token: string }>("/auth/magic-link/verify", body);
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    user: { id: expect.any(String), name: "ada", email, role: "admin" },
  });
  expect(reply.body.token).not.toBe(token);
  const text = "select name, proofs, ip_address from service.sessions";
  expect(await server.services.db.query(text)).toEqual([
    { name: "Phone", proofs: ["magic-link"], ip_address: "127.0.0.1" },
  ]);
});

test.each([
  "/",
  "/orders",
  "/orders?page=2&sort=-name#top",
  "/a//b",
  "/%2F%2Fevil.example",
  "/größe 💻",
  "/https://evil.example",
  "/&token=x",
  `/${"💻".repeat(1999)}`,
])("the link includes the path %j", async (redirectTo) => {
  const reply = await anonymous.post("/auth/magic-link", { email, redirectTo });
  expect(reply.status).toBe(204);
  const link = new URL(newestMail(server, email, "sign-in-link").link);
  expect([...link.searchParams.keys()]).toEqual(["token", "redirectTo"]);
  expect(link.searchParams.get("redirectTo")).toBe(redirectTo);
  expect(link.origin).toBe("https://shop.example.com");
  expect(link.href).toContain(`&redirectTo=${encodeURIComponent(redirectTo)}`);
});

test.each([
  "",
  "orders",
  "//evil.example",
  "///evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "\\evil.example",
  "/\\evil.example",
  "/a\\b",
  " /orders",
  "\t/orders",
  "/\t/evil.example",
  "/\n/evil.example",
  "/orders\r\nSet-Cookie: a=b",
  "/\u0000",
  "/\u007f",
  "/\u0085",
  "/\ud800",
  `/${"x".repeat(2000)}`,
  5,
  null,
  ["/orders"],
])("the path %j is refused, and nothing is mailed", async (redirectTo) => {
  const reply = await anonymous.post<object>("/auth/magic-link", { email, redirectTo });
  expect(reply.status).toBe(422);
  expect(reply.body).toEqual({
    error: "The values are not valid",
    issues: [{ path: "redirectTo", message: expect.stringMatching(/./) }],
  });
  expect(server.outbox.messages).toEqual([]);
});

test.each([
  ["", {}, ["email"]],
  ["", { email: "ada@example.com", role: "admin" }, ["role"]],
  ["/verify", {}, ["token"]],
  ["/verify", { token: 5 }, ["token"]],
  ["/verify", { token: "a", deviceName: "" }, ["deviceName"]],
  ["/verify", { token: "a", email: "ada@example.com" }, ["email"]],
])("/auth/magic-link%s refuses the body %j", async (path, body, paths) => {
  const reply = await anonymous.post<{ issues: readonly { path: string }[] }>(
    `/auth/magic-link${path}`,
    body,
  );
  expect(reply.status).toBe(422);
  expect(reply.body.issues.map((issue) => issue.path)).toEqual(paths);
});
