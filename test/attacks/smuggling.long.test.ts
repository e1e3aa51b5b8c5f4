import { setTimeout as sleep } from "node:timers/promises";
import { Router } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, readJson } from "../../runtime/http/index.js";
import { type RouteServer, startRoutes } from "../runtime/http/server.js";
import { type Payload, payloads, plainForms, spellings } from "../support/attacks/payloads.js";
import { startDenying } from "../support/attacks/proxies.js";
import type { RunningProxy } from "../support/deploy/proxies.js";
import { hasTool } from "../support/deploy/tools.js";
import { openWire, type Wire } from "../support/http/wire.js";
import { isAudit } from "../support/searches.js";

/** A request as it reached the server. */
interface Seen {
  readonly target: string;
  readonly forwardedFor: string | undefined;
}

/** Denied by the proxies: a generated route, and one of the app's own code. */
const denied = ["/api/private", "/api/reports/secret"];

interface Target {
  readonly server: RouteServer;
  readonly seen: Seen[];
  /** How many requests were answered with what is private. */
  readonly told: () => number;
}

async function startTarget(settings: string): Promise<Target> {
  const seen: Seen[] = [];
  let told = 0;
  const routes: readonly Route[] = [
    ...(["GET", "POST", "DELETE"] as const).map((method) => ({
      method,
      path: "/open",
      access: "public" as const,
      handle: async (context: Parameters<typeof readJson>[0]) => ({
        status: 200,
        json: JSON.stringify(method === "POST" ? await readJson(context) : "open"),
      }),
    })),
    {
      method: "GET",
      path: "/mine/:id",
      access: "public",
      handle: async ({ params }) => ({ status: 200, json: JSON.stringify(params.id) }),
    },
    {
      method: "GET",
      path: "/private",
      access: "public",
      handle: async () => {
        told += 1;
        return { status: 200, json: '"private"' };
      },
    },
    ...["/_service/live", "/_service/ready"].map((path) => ({
      method: "GET" as const,
      path,
      access: "public" as const,
      isHealth: true as const,
      handle: async () => ({ status: 200, json: "{}" }),
    })),
  ];
  const appRouter = Router();
  appRouter.get("/reports/secret", (_request, response) => {
    told += 1;
    response.json("private");
  });
  const server = await startRoutes({
    routes,
    appRouter,
    settings,
    prepare: (app) =>
      app.use((request, _response, next) => {
        seen.push({
          target: request.originalUrl,
          forwardedFor: request.header("x-forwarded-for"),
        });
        next();
      }),
  });
  return { server, seen, told: () => told };
}

/** Sends these bytes, and waits until the other side has closed, or has said nothing for a while. */
async function answersTo(url: string, bytes: string): Promise<string> {
  const wire = await openWire(url);
  await wire.send(Buffer.from(bytes, "latin1"));
  let before = -1;
  while (before < wire.rest().length) {
    before = wire.rest().length;
    if (await isClosed(wire, 150)) break;
  }
  wire.destroy();
  return wire.rest();
}

/** Sends a request with which the connection ends, and waits for its end. */
async function answerTo(url: string, request: string): Promise<string> {
  const wire = await openWire(url);
  await wire.send(Buffer.from(request, "latin1"));
  if (!(await isClosed(wire, 20_000))) wire.destroy();
  return wire.rest();
}

function isClosed(wire: Wire, withinMs: number): Promise<boolean> {
  const pause = sleep(withinMs, false, { ref: false });
  return Promise.race([wire.closed.then(() => true), pause]);
}

function get(target: string, more = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer known\r\n${more}Connection: close\r\n\r\n`;
}

/** So many connections attack at once: one at a time tells which, and takes a few minutes. */
const together = isAudit ? 1 : 8;
let count = 0;

/** Three clients of others get the answers to what they asked, and no other. */
async function othersAreServed(url: string): Promise<readonly string[]> {
  const asked = Array.from({ length: 3 }, (_, at) => `mine-${count}-${at}`);
  count += 1;
  const answers = await Promise.all(
    asked.map((id) => answerTo(url, get(`/api/mine/${id}`, `X-Mine: ${id}\r\n`))),
  );
  return asked.filter((id, at) => !isAnswer(answers[at] ?? "", id));
}

function isAnswer(text: string, id: string): boolean {
  return text.startsWith("HTTP/1.1 200 ") && text.includes(`"${id}"`);
}

describe("directly", () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget("");
  });
  afterAll(() => target.server.close());

  test("a request ends where its headers say, or is refused and the connection closed", async () => {
    const faults: string[] = [];
    // With an underscore it is another header, which only some proxies take for this one.
    for (const { name, bytes } of payloads.filter((one) => !/\w_\w/.test(one.name))) {
      const before = target.told();
      const answer = await answersTo(target.server.url, bytes);
      if (target.told() > before) faults.push(`${name}: the hidden request was answered`);
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
      const isOne = statuses.filter((status) => status !== "100").length <= 1;
      if (!isOne) faults.push(`${name}: ${statuses}`);
    }
    expect(faults).toEqual([]);
    expect(await othersAreServed(target.server.url)).toEqual([]);
  });

  test("a path has one spelling", async () => {
    const faults: string[] = [];
    for (const path of denied) {
      for (const form of plainForms(path)) {
        expect(await answerTo(target.server.url, get(form)), form).toContain('"private"');
      }
      for (const spelling of spellings(path)) {
        const answer = await answerTo(target.server.url, get(spelling));
        if (answer.includes('"private"')) faults.push(spelling);
        if (/^HTTP\/1\.1 5/.test(answer)) faults.push(`${spelling}: ${answer.slice(0, 20)}`);
      }
    }
    expect(faults).toEqual([]);
    expect(target.server.errors).toEqual([]);
  });
});

describe.each([
  ["nginx", "-v"],
  ["caddy", "version"],
  ["haproxy", "-v"],
] as const)("behind %s", (name, versionOption) => {
  const isThere = hasTool(name, versionOption);
  let target: Target;
  let proxy: RunningProxy;
  beforeAll(async () => {
    if (!isThere) return;
    target = await startTarget("server: { trust_proxy: 1 }\n");
    proxy = await startDenying(name, Number(new URL(target.server.url).port), denied);
  });
  afterAll(async () => {
    await proxy?.stop();
    await target?.server.close();
  });
  const url = () => `http://127.0.0.1:${proxy.port}`;

  test.skipIf(!isThere)("the proxy and the server agree about where a request ends", async () => {
    expect(await othersAreServed(url())).toEqual([]);
    const faults: string[] = [];
    for (let at = 0; at < payloads.length; at += together) {
      faults.push(...(await smuggled(payloads.slice(at, at + together))));
    }
    expect(faults).toEqual([]);
  });

  async function smuggled(sent: readonly Payload[]): Promise<readonly string[]> {
    const [told, from] = [target.told(), target.seen.length];
    // Twice on one connection, so that what is left of the first would begin the second.
    const answers = await Promise.all(sent.map(({ bytes }) => answersTo(url(), bytes + bytes)));
    const others = await othersAreServed(url());
    const unmarked = target.seen
      .slice(from)
      .filter(({ forwardedFor }) => forwardedFor?.split(/, */).at(-1) !== "127.0.0.1");
    return [
      ...(target.told() > told ? ["what is private was told"] : []),
      ...(answers.join("").includes('"private"') ? ["what is private was answered"] : []),
      ...others.map((id) => `${id} got another response`),
      ...unmarked.map(({ target }) => `${target} came past the proxy`),
    ].map((fault) => `${sent.map(({ name }) => name).join(", ")}: ${fault}`);
  }

  test.skipIf(!isThere)("no spelling reaches a path that the proxy denies", async () => {
    const faults: string[] = [];
    for (const path of denied) {
      for (const spelling of [...plainForms(path), ...spellings(path)]) {
        const answer = await answerTo(url(), get(spelling));
        if (answer.includes('"private"')) faults.push(spelling);
      }
    }
    expect(faults).toEqual([]);
    expect(target.told()).toBe(0);
    expect(await othersAreServed(url())).toEqual([]);
  });
});
