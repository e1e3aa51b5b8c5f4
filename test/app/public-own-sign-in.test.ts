import { type Request, Router } from "express";
import { optionalToken, publicRoute } from "service-runtime/http";
import type { Caller } from "service-runtime/own-code";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";

// Public data without the package's accounts: `authenticate` decides who is a visitor.

const descriptors = new Map([
  [
    "notes.yaml",
    `owner: author
access:
  read: [{ who: public, where: { shown: true } }, owner]
  create: [owner, { who: public, check: { author: null } }]
  write: [owner]
cache: 60
changes: true
fields:
  title: { type: string, required: true }
  shown: { type: boolean, required: true, default: true }
  author: { type: string, access: { read: signed-in } }
`,
  ],
  [
    "drafts.yaml",
    `owner: author
access: { read: [owner], write: [owner] }
fields:
  title: { type: string, required: true }
  author: { type: string, required: true }
`,
  ],
]);

const settings = `auth: { enabled: false }
server: { host: 127.0.0.1, cors_origins: ["https://front.example.com"] }
limits: { public_create_per_client: 30/min }
`;

let app: WrittenApp;
/** The paths for which `authenticate` was called. */
const asked: string[] = [];
/** What policies, guards and routes got as the caller. */
const callers: (Caller | null)[] = [];

/** The caller is named by a token, or by a cookie as in an app with sessions. */
async function authenticate(request: Request): Promise<Caller | null> {
  asked.push(`${request.method} ${request.originalUrl}`);
  const token = /^Bearer (\w+)$/.exec(request.get("authorization") ?? "")?.[1];
  const cookie = /^session=(\w+)$/.exec(request.get("cookie") ?? "")?.[1];
  const accountId = token ?? cookie;
  if (accountId === "broken") throw new Error("a secret of the directory");
  if (accountId === undefined || accountId === "wrong") return null;
  return { accountId, role: null, sessionId: null };
}

beforeAll(async () => {
  const routes = Router();
  const answer = (_request: Request, response: { locals: object; json(body: object): unknown }) => {
    const { caller } = response.locals as { caller: Caller | null };
    callers.push(caller);
    response.json({ caller: caller?.accountId ?? null });
  };
  routes.get("/greeting", optionalToken, answer);
  routes.get("/hello", publicRoute, answer);
  routes.get("/private", answer);
  app = await startWrittenApp({
    descriptors,
    settings,
    options: {
      authenticate,
      routes,
      policies: {
        notes: {
          list: (caller) => {
            callers.push(caller);
            return true;
          },
        },
      },
      guards: {
        notes: {
          create: async ({ headers }) => headers["x-captcha"] !== "wrong",
        },
      },
    },
  });
});
beforeEach(() => {
  asked.length = 0;
  callers.length = 0;
});
afterAll(() => app?.close());

const byToken = (name: string) => ({ authorization: `Bearer ${name}` });
const byCookie = (name: string) => ({ cookie: `session=${name}` });

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.url}/api${path}`, { headers });
}

function post(path: string, body: object, headers: Record<string, string> = {}) {
  return fetch(`${app.url}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function note(title: string, who: Record<string, string> = {}): Promise<{ id: string }> {
  const reply = await post("/notes", { title }, who);
  expect(reply.status).toBe(201);
  return (await reply.json()) as { id: string };
}

/** `Origin` aside, which every response varies by that is not for all origins. */
const caching = ({ headers }: Response) => [
  headers.get("cache-control"),
  (headers.get("vary") ?? "").replace(/^Origin(, |$)/, ""),
];
const shared = "public, max-age=0, s-maxage=60";
const vary = "Authorization, Cookie";

test("`authenticate` is called for public actions and optional tokens, not for public routes", async () => {
  for (const path of ["/notes", "/greeting", "/hello", "/private"]) await get(path);
  expect(asked).toEqual(["GET /api/notes", "GET /api/greeting", "GET /api/private"]);
});

describe("a request that `authenticate` gives no caller", () => {
  test("is a visitor's without Authorization: policies and routes get null", async () => {
    expect((await get("/notes")).status).toBe(200);
    expect(await (await get("/greeting")).json()).toEqual({ caller: null });
    expect(callers).toEqual([null, null]);
  });

  test("is 401 with Authorization, also if a cookie comes along", async () => {
    const paths = ["/notes", "/notes/_stats", "/greeting", "/private", "/drafts"];
    for (const headers of [
      byToken("wrong"),
      { authorization: "Basic d3Jvbmc6d3Jvbmc=" },
      { ...byToken("wrong"), ...byCookie("wrong") },
    ]) {
      for (const path of paths) {
        const reply = await get(path, headers);
        expect([path, reply.status, reply.headers.get("www-authenticate")]).toEqual([
          path,
          401,
          "Bearer",
        ]);
      }
    }
    expect((await post("/notes", { title: "No" }, byToken("wrong"))).status).toBe(401);
    expect((await post("/notes/_query", {}, byToken("wrong"))).status).toBe(401);
    expect((await get("/hello", byToken("wrong"))).status).toBe(200);
  });

  test("is 401 if no rule is public", async () => {
    for (const path of ["/private", "/drafts", "/notes/_stats"]) {
      expect((await get(path)).status, path).toBe(401);
      expect((await get(path, byCookie("wrong"))).status, path).toBe(401);
    }
  });

  test("is an error if `authenticate` fails, not a visitor's request", async () => {
    for (const path of ["/notes", "/greeting"]) {
      const reply = await get(path, byCookie("broken"));
      expect([reply.status, await reply.json()]).toEqual([500, { error: "Internal server error" }]);
    }
  });
});

describe("what a visitor sees", () => {
  test("is what is public; a caller by cookie sees their own too", async () => {
    const { id } = await note("Ada's", byCookie("ada"));
    const hidden = await note("Ada's secret", byToken("ada"));
    const change = await fetch(`${app.url}/api/notes/${hidden.id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json", ...byCookie("ada") },
      body: '{"shown":false}',
    });
    expect(change.status).toBe(200);
    const read = async (headers = {}) =>
      (await (await get(`/notes/${id}`, headers)).json()) as object;
    expect(await read()).not.toHaveProperty("author");
    expect(await read(byCookie("bob"))).toHaveProperty("author", "ada");
    expect((await get(`/notes/${hidden.id}`)).status).toBe(404);
    expect((await get(`/notes/${hidden.id}`, byCookie("bob"))).status).toBe(404);
    expect((await get(`/notes/${hidden.id}`, byCookie("ada"))).status).toBe(200);
  });

  test("may be kept by shared caches, and what callers see may not", async () => {
    const { id } = await note("Cached");
    for (const path of ["/notes", `/notes/${id}`]) {
      expect(caching(await get(path)), path).toEqual([shared, vary]);
      for (const who of [
        byCookie("ada"),
        byToken("ada"),
        { ...byToken("ada"), ...byCookie("wrong") },
      ]) {
        expect(caching(await get(path, who)), path).toEqual(["private, no-cache", vary]);
      }
      expect(caching(await get(path, byCookie("wrong"))), path).toEqual([shared, vary]);
      expect(caching(await get(path, byToken("wrong"))), path).toEqual(["no-store", vary]);
    }
    expect(caching(await get("/drafts", byCookie("ada")))).toEqual(["private, no-cache", ""]);
  });

  test("has a weak tag, which answers 304 to visitors with any cookie", async () => {
    const tag = (await get("/notes")).headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\//);
    const again = await get("/notes", { "if-none-match": tag, ...byCookie("wrong") });
    expect([again.status, ...caching(again)]).toEqual([304, shared, vary]);
    const own = await get("/notes", { "if-none-match": tag, ...byCookie("ada") });
    expect([own.status, own.headers.get("etag")]).toEqual([200, null]);
  });

  test("may be read by pages of every origin, what callers see by the listed ones only", async () => {
    const origin = "https://other.example.com";
    const open = await get("/notes", { origin });
    expect([open.headers.get("access-control-allow-origin"), open.headers.get("vary")]).toEqual([
      "*",
      vary,
    ]);
    const own = await get("/notes", { origin, ...byCookie("ada") });
    expect(own.headers.get("access-control-allow-origin")).toBe(null);
    const listed = await get("/notes", { origin: "https://front.example.com", ...byCookie("ada") });
    expect(listed.headers.get("access-control-allow-origin")).toBe("https://front.example.com");
    expect(listed.headers.get("vary")?.split(", ").sort()).toEqual([
      "Authorization",
      "Cookie",
      "Origin",
    ]);
  });
});

describe("what a visitor creates", () => {
  test("has no owner, and what a caller by cookie creates is theirs", async () => {
    const ofVisitor = await note("A visitor's");
    expect(ofVisitor).not.toHaveProperty("author");
    const read = await get(`/notes/${ofVisitor.id}`, byCookie("ada"));
    expect(await read.json()).toMatchObject({ author: null });
    expect(await note("Ada's", byCookie("ada"))).toMatchObject({ author: "ada" });
    expect((await post("/notes", { title: "Not mine", author: "ada" })).status).not.toBe(201);
  });

  test("is checked by the guard and counted, and what callers create is not", async () => {
    const wrong = { "x-captcha": "wrong" };
    const made = await post("/notes", { title: "Judged" }, wrong);
    expect([made.status, made.headers.get("ratelimit-policy")]).toEqual([
      403,
      '"public_create_per_client";q=30;w=60',
    ]);
    const own = await post("/notes", { title: "Own" }, { ...wrong, ...byCookie("ada") });
    expect([own.status, own.headers.get("ratelimit-policy")]).toEqual([201, null]);
  });

  test("needs a long idempotency key, which no other visitor shares", async () => {
    const short = { "idempotency-key": "a-short-key" };
    expect((await post("/notes", { title: "Key" }, short)).status).toBe(400);
    expect((await post("/notes", { title: "Key" }, { ...short, ...byCookie("ada") })).status).toBe(
      201,
    );
    const long = { "idempotency-key": "a-key-that-is-long-enough" };
    const ids = [];
    for (const who of [{}, {}, byCookie("ada"), byCookie("bob")]) {
      ids.push(
        (
          (await (await post("/notes", { title: "Key" }, { ...long, ...who })).json()) as {
            id: string;
          }
        ).id,
      );
    }
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });
});

test("a stream of changes needs a caller unless every list is public", async () => {
  const stream = (resource: string, headers = {}) =>
    fetch(`${app.url}/api/_service/changes?watch=${encodeURIComponent(`{"${resource}":true}`)}`, {
      headers: { accept: "text/event-stream", ...headers },
    });
  for (const headers of [{}, byCookie("wrong"), byCookie("ada")]) {
    const open = await stream("notes", headers);
    expect(open.status, await (open.ok ? "" : open.text())).toBe(200);
    await open.body?.cancel();
  }
  expect((await stream("notes", byToken("wrong"))).status).toBe(401);
});
