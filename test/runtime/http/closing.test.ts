import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Route, readJson } from "../../../runtime/http/index.js";
import { openWire } from "../../support/http/wire.js";
import { type RouteServer, startRoutes } from "./server.js";

let letGo: (() => void)[] = [];

const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/held/:n",
    access: "public",
    handle: async ({ params }) => {
      await new Promise<void>((resolve) => letGo.push(resolve));
      return { status: 200, json: `"${params.n}"` };
    },
  },
  {
    method: "POST",
    path: "/sent",
    access: "public",
    handle: async (context) => ({ status: 201, json: JSON.stringify(await readJson(context)) }),
  },
];

function get(path: string): string {
  return `GET /api${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
}

/** Runs the work with a server of its own, which it may close. */
async function serving(work: (server: RouteServer) => Promise<void>): Promise<void> {
  letGo = [];
  await work(await startRoutes({ routes }));
}

test("an idle connection may send one more request, gets Connection: close, and then ends", () =>
  serving(async ({ url, close }) => {
    const [idle, asking] = [await openWire(url), await openWire(url)];
    for (const wire of [idle, asking]) {
      await wire.send(get("/none"));
      await wire.sees(/^HTTP\/1\.1 404 [\s\S]*connection: keep-alive[\s\S]*"\}/i);
    }
    const start = performance.now();
    const closed = close();
    await expect(openWire(url)).rejects.toThrow("ECONNREFUSED");
    let isIdle = true;
    void idle.closed.then(() => {
      isIdle = false;
    });
    await asking.send(get("/none"));
    await asking.closed;
    expect(asking.rest()).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close\r\n[\s\S]*"\}$/);
    expect(isIdle).toBe(true);
    await idle.closed;
    expect(performance.now() - start).toBeGreaterThan(1_900);
    expect(idle.rest()).toBe("");
    await closed;
  }));

test("a busy connection ends after its response, with Connection: close", () =>
  serving(async ({ url, close }) => {
    const wire = await openWire(url);
    await wire.send(get("/held/1"));
    await expect.poll(() => letGo.length).toBe(1);
    const closed = close();
    await sleep(50);
    for (const go of letGo) go();
    await wire.closed;
    expect(wire.rest()).toMatch(/connection: close\r\n[\s\S]*"1"$/);
    await closed;
  }));

test("pipelined requests that have started are answered, and the last response ends the connection", () =>
  serving(async ({ url, close }) => {
    const wire = await openWire(url);
    await wire.send(Array.from({ length: 20 }, (_, at) => get(`/held/${at}`)).join(""));
    await expect.poll(() => letGo.length).toBe(16);
    const closed = close();
    await wire.send(get("/held/more"));
    for (const go of letGo) go();
    await wire.closed;
    await closed;
    const bodies = [...wire.rest().matchAll(/\r\n\r\n"(\d+)"/g)].map(([, n]) => Number(n));
    expect(bodies).toEqual(Array.from({ length: 16 }, (_, at) => at));
    expect(wire.rest().match(/connection: close/g)).toHaveLength(1);
    expect(wire.rest()).toMatch(/connection: close\r\n[\s\S]*"15"$/);
    expect(letGo).toHaveLength(16);
  }));

test("a body in transit is waited for", () =>
  serving(async ({ url, close }) => {
    const wire = await openWire(url);
    const head = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n";
    await wire.send(`POST /api/sent HTTP/1.1\r\n${head}{"a"`);
    await sleep(50);
    const closed = close();
    await sleep(2_300);
    await wire.send(":1}");
    await wire.closed;
    expect(wire.rest()).toMatch(/^HTTP\/1\.1 201 [\s\S]*connection: close\r\n[\s\S]*\{"a":1\}$/);
    await closed;
  }));
