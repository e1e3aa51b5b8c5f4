import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { unsetProxy } from "../../runtime/http/limits/unset-proxy.js";
import { boundAnswers } from "../../runtime/resource/idempotency/bound.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { isThorough } from "../support/searches.js";

const descriptors = new Map([
  [
    "messages.yaml",
    "access: { create: public, read: [admin], update: nobody, delete: [admin] }\nfields: { text: { type: string, required: true } }\n",
  ],
]);

const settings = (server: string, more = "") =>
  `auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1, ${server} }\n${more}`;

type Headers = Readonly<Record<string, string>>;

function post({ url }: WrittenApp, headers: Headers = {}, body: object = { text: "Hello" }) {
  return fetch(`${url}/api/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Sends so many at a time, and returns how many got each status. */
async function statuses(sends: readonly (() => Promise<Response>)[]) {
  const counts: Record<number, number> = {};
  const left = [...sends];
  const sender = async () => {
    for (let send = left.pop(); send !== undefined; send = left.pop()) {
      const { status, body } = await send();
      await body?.cancel();
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
  return counts;
}

async function total({ db }: WrittenApp): Promise<number> {
  const [row] = await db.query<{ n: number }>("select count(*)::int as n from messages");
  return row?.n ?? -1;
}

describe("limits of creates without a token", () => {
  let app: WrittenApp;
  const many = isThorough ? 10_000 : 300;

  beforeAll(async () => {
    app = await startWrittenApp({ descriptors, settings: settings("trust_proxy: 1") });
  });
  beforeEach(() => app.db.query("truncate messages"));
  afterAll(() => app?.close());

  const from = (address: string) => ({ "x-forwarded-for": address });

  test("20 in a minute are from one address, without any setting", async () => {
    const began = performance.now();
    const sends = Array.from({ length: many }, () => () => post(app, from("203.0.113.1")));
    const { 201: made = 0, ...others } = await statuses(sends);
    // A busy machine may need more than the first minute for thousands.
    const minutes = Math.floor((performance.now() - began) / 60_000);
    expect(made).toBeGreaterThanOrEqual(20);
    expect(made).toBeLessThanOrEqual(20 * (1 + minutes));
    expect(others).toEqual({ 429: many - made });
    expect(await total(app)).toBe(made);
    const other = await post(app, from("203.0.113.2"));
    expect(other.status).toBe(201);
    expect(other.headers.get("ratelimit")).toBe('"public_create_per_client";r=19;t=60');
  });

  test("as many addresses are not kept from each other", async () => {
    const sends = Array.from(
      { length: many },
      (_, at) => () => post(app, from(`198.18.${at >> 8}.${at & 255}`)),
    );
    expect(await statuses(sends)).toEqual({ 201: many });
    expect(await total(app)).toBe(many);
  });

  test("addresses of one IPv6 network are one client", async () => {
    const sends = Array.from({ length: 30 }, (_, at) => () => post(app, from(`2001:db8::${at}`)));
    expect(await statuses(sends)).toEqual({ 201: 20, 429: 10 });
  });

  test("count bodies that would be refused, and no callers with a token", async () => {
    const address = from("203.0.113.9");
    const sends = Array.from({ length: 20 }, () => () => post(app, address, { colour: "red" }));
    expect(await statuses(sends)).toEqual({ 422: 20 });
    const refused = await post(app, address);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.anything()]);
    const { client } = await app.caller("admin");
    const headers = address;
    const text = JSON.stringify({ text: "x" });
    expect((await client.send("POST", "/messages", { headers, text })).status).toBe(201);
  });
});

describe("limits of creates without a token where no proxy is trusted", () => {
  const secret = "the secret of a dashboard, of 32 bytes or more";
  let app: WrittenApp;

  beforeAll(async () => {
    const variables = { SERVICE_PROXY_SECRET: secret, SERVICE_LOG_LEVEL: "silent" };
    app = await startWrittenApp({ descriptors, settings: settings("trust_proxy: 0"), variables });
  });
  afterAll(() => app?.close());

  const thirty = (headers: Headers) => Array.from({ length: 30 }, () => () => post(app, headers));

  test.each<Headers>([{ "x-forwarded-for": "203.0.113.7" }, { forwarded: "for=203.0.113.7" }])(
    "count no requests with %j from a private address",
    async (headers) => {
      expect(await statuses(thirty(headers))).toEqual({ 201: 30 });
    },
  );

  test("count by the address that comes with the proxy secret", async () => {
    for (const address of ["203.0.113.1", "203.0.113.2"]) {
      const headers = {
        "x-service-proxy-secret": secret,
        "x-service-client-ip": address,
        "x-forwarded-for": "203.0.113.7",
      };
      expect(await statuses(thirty(headers)), address).toEqual({ 201: 20, 429: 10 });
    }
  });

  test("count requests without such headers", async () => {
    expect(await statuses(thirty({}))).toEqual({ 201: 20, 429: 10 });
  });
});

describe("keys of creates without a token", () => {
  let app: WrittenApp;

  beforeAll(async () => {
    const limits = "limits: { public_create_per_client: 0 }\n";
    app = await startWrittenApp({ descriptors, settings: settings("trust_proxy: 1", limits) });
  });
  beforeEach(() => app.db.query("truncate messages, service.kept_answers"));
  afterAll(() => app?.close());

  const keyed = (address: string, key: string) => ({
    "x-forwarded-for": address,
    "idempotency-key": key,
  });

  test("have at least 20 characters", async () => {
    expect((await post(app, keyed("203.0.113.1", "k".repeat(19)))).status).toBe(400);
    expect((await post(app, keyed("203.0.113.1", "k".repeat(20)))).status).toBe(201);
    expect(await total(app)).toBe(1);
  });

  test("belong to a client's address", async () => {
    const key = randomUUID();
    const ids = new Set<string>();
    for (const address of ["203.0.113.1", "203.0.113.2", "203.0.113.1"]) {
      const { id } = (await (await post(app, keyed(address, key))).json()) as { id: string };
      ids.add(id);
    }
    expect(ids.size).toBe(2);
    expect(await total(app)).toBe(2);
    const other = await post(app, keyed("203.0.113.1", key), { text: "Another" });
    expect(other.status).toBe(422);
  });

  const log = { warn: () => expect.unreachable() };
  const bound = () => boundAnswers(app.db, log, { accountId: "", bytes: Number.MAX_SAFE_INTEGER });

  async function kept() {
    const [row] = await app.db.query<{ keys: number; bytes: number; oldest: string }>(
      `select count(*)::int as keys, coalesce(sum(octet_length(body)), 0)::float8 as bytes, min(key) as oldest
       from service.kept_answers`,
    );
    return row;
  }

  async function keep(answers: number, bytes: number): Promise<void> {
    await app.db.query(
      `insert into service.kept_answers (account_id, key, request, status, body, kept_at)
       select '', to_char(n, 'FM0000000'), '', 201, repeat('x', $2::int), now() - interval '1 hour' + n * interval '1 ms'
       from generate_series(1, $1::int) as n`,
      [answers, bytes],
    );
  }

  test("are at most 100,000, and the oldest are forgotten", async () => {
    await keep(100_300, 45);
    await bound();
    expect(await kept()).toMatchObject({ keys: 100_000, oldest: "0000301" });
  });

  test("take at most 16 MB with their answers together", async () => {
    await keep(2_000, 10_000);
    await bound();
    const { keys, bytes } = (await kept()) ?? expect.unreachable();
    expect(keys).toBe(2_000);
    expect(bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(12 * 1024 * 1024);
  });
});

test("a refusal names no field that such a caller can neither read nor write", async () => {
  const entries = `
access: { create: public, read: [admin], write: [admin] }
unique: [[name, ward]]
fields:
  name: { type: string, required: true }
  code: { type: string, unique: true }
  ward: { type: string, default: north, access: { read: [admin], write: [admin] } }
`;
  const app = await startWrittenApp({ descriptors: new Map([["entries.yaml", entries]]) });
  try {
    const entry = async (values: object) => {
      const answer = await fetch(`${app.url}/api/entries`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(values),
      });
      return { status: answer.status, body: await answer.json() };
    };
    expect((await entry({ name: "Ada", code: "a" })).status).toBe(201);
    const taken = "Another record has this value";
    expect(await entry({ name: "Ada", code: "a" })).toMatchObject({
      status: 422,
      body: {
        issues: [
          { path: "code", message: taken },
          { path: "name", message: taken },
        ],
      },
    });
    expect(await entry({ name: "Bob", ward: "south" })).toMatchObject({
      status: 422,
      body: { issues: [{ path: "ward", message: "Not allowed" }] },
    });
    const { client } = await app.caller("admin");
    const told = await client.post("/entries", { name: "Ada", ward: "north" });
    expect(told.text).toContain("Another record has the same name and ward");
  } finally {
    await app.close();
  }
});

describe("a guard that waits for another server", () => {
  let app: WrittenApp;
  let release: () => void = () => {};
  let waiting = Promise.resolve();
  const signals: AbortSignal[] = [];

  beforeAll(async () => {
    app = await startWrittenApp({
      descriptors,
      settings: settings("hook_timeout_seconds: 1", "limits: { public_create_per_client: 0 }\n"),
      options: {
        guards: {
          messages: {
            create: async ({ headers, signal }) => {
              signals.push(signal);
              if (headers["x-captcha"] === "slow") await waiting;
              if (headers["x-captcha"] === "broken") throw new Error("a secret of the guard");
              return headers["x-captcha"] !== "truthy" || ("yes" as never);
            },
          },
        },
      },
      variables: { SERVICE_LOG_LEVEL: "silent" },
    });
  });
  beforeEach(() => {
    waiting = new Promise((resolve) => {
      release = resolve;
    });
    signals.length = 0;
  });
  afterEach(() => release());
  afterAll(() => app?.close());

  test("is 503 after server.hook_timeout_seconds, and its signal is aborted", async () => {
    const before = await total(app);
    const { status, headers } = await post(app, { "x-captcha": "slow" });
    expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await total(app)).toBe(before);
  });

  test("runs at most 100 times at once in a process: the next is 503", async () => {
    const slow = Array.from({ length: 100 }, () => post(app, { "x-captcha": "slow" }));
    await expect.poll(() => signals.length).toBe(100);
    const next = await post(app);
    expect([next.status, next.headers.get("retry-after")]).toEqual([503, "2"]);
    release();
    await Promise.all(slow);
    expect((await post(app)).status).toBe(201);
  });

  test("refuses with anything but true, and is 500 without its message if it throws", async () => {
    expect((await post(app, { "x-captcha": "truthy" })).status).toBe(403);
    const broken = await post(app, { "x-captcha": "broken" });
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain("secret");
  });
});

test("a proxy that is not configured is logged once an hour, naming the setting", () => {
  const lines: unknown[] = [];
  const log = { error: (...line: unknown[]) => lines.push(line) };
  const config = { server: { trustProxy: 0 }, proxySecret: null } as never;
  const isUncounted = unsetProxy(config, log as never);
  const request = (address: string, headers: Headers) =>
    ({ headers, socket: { remoteAddress: address } }) as unknown as IncomingMessage;
  const forwarded = { "x-forwarded-for": "203.0.113.7" };
  expect(isUncounted(request("127.0.0.1", {}))).toBe(false);
  expect(isUncounted(request("203.0.113.8", forwarded))).toBe(false);
  expect(lines).toEqual([]);
  for (const address of ["127.0.0.1", "10.0.0.7", "::1", "fd00::1"]) {
    expect(isUncounted(request(address, forwarded))).toBe(true);
    expect(isUncounted(request(address, { forwarded: "for=203.0.113.7" }))).toBe(true);
  }
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).toContain("trust_proxy");
});
