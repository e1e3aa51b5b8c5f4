import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { freePort } from "../../../bin/embedded/port.js";
import { pageOf, snapshotOf } from "../../../runtime/operation/metrics/page.js";
import { newMetrics } from "../../../runtime/operation/metrics/registry.js";
import { deployText } from "../../support/deploy/written.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../../support/processes/shop-process.js";
import { getAnew, instances, workersOf } from "../../support/processes/workers.js";

let host: ShopHost;
beforeAll(async () => {
  host = await openHost(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of service.yaml.
    "server: { workers: '${WORKERS:-1}', metrics: { port: '${METRICS:-9090}' } }\n",
  );
});
afterAll(() => host.close());

interface Measured {
  readonly server: ShopServer;
  /** The samples by name and labels, as the page has them. */
  samples(): Promise<ReadonlyMap<string, number>>;
  ask(path: string): Promise<Response>;
}

async function measured(workers: string): Promise<Measured> {
  const port = await freePort("127.0.0.1");
  const server = await host.serve({ WORKERS: workers, METRICS: `${port}` });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  return {
    server,
    ask,
    samples: async () => {
      const lines = (await (await ask("/metrics")).text()).split("\n");
      return new Map(
        lines
          .filter((line) => line !== "" && !line.startsWith("#"))
          .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
      );
    },
  };
}

function counted(
  samples: ReadonlyMap<string, number>,
  method: string,
  route: string,
  status: number,
) {
  const labels = [`http_request_method="${method}"`, `http_route="${route}"`];
  labels.push(`http_response_status_code="${status}"`);
  return samples.get(`http_server_request_duration_seconds_count{${labels.join(",")}}`);
}

/** One server for the tests that do not stop it. */
let alone: Promise<Measured> | null = null;
function measuredAlone(): Promise<Measured> {
  alone ??= measured("1");
  return alone;
}

test("one page has the metrics of the contract, and no others of the service", async () => {
  // What another try has done is counted by another server.
  alone = measured("1");
  const { server, ask, samples } = await alone;
  const { admin, anonymous } = server;
  await admin.get("/products/a?secret=word");
  await admin.get("/nowhere");
  await anonymous.send("BREW", "/products").catch(() => null);
  await anonymous.post("/auth/token", { ...account, password: "a wrong one" });
  const page = await ask("/metrics");
  expect([page.status, page.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const found = await samples();
  expect(counted(found, "GET", "/api/products/{id}", 404)).toBe(1);
  expect(counted(found, "GET", "", 404)).toBe(1);
  expect(counted(found, "POST", "/api/auth/token", 201)).toBe(1);
  expect(Object.fromEntries(found)).toMatchObject({
    'service_sign_ins_total{method="password",result="success"}': 1,
    'service_sign_ins_total{method="password",result="failure"}': 1,
    'service_queue_length{queue="passwords"}': 0,
    'service_queue_length{queue="pictures"}': 0,
    'service_queue_length{queue="mails"}': 0,
    'db_client_connection_count{db_client_connection_state="idle"}': expect.any(Number),
    'db_client_connection_count{db_client_connection_state="used"}': expect.any(Number),
    db_client_connection_max: 10,
    db_client_connection_pending_requests: 0,
    http_server_active_requests: 0,
    'service_check{check="database"}': 1,
    'service_check{check="migrations"}': 1,
    'service_check{check="storage"}': 1,
    'service_build_info{version="0.5.0"}': 1,
    process_resident_memory_bytes: expect.any(Number),
    process_start_time_seconds: expect.any(Number),
  });
  const names = [...found.keys()]
    .map((sample) => sample.replace(/(_bucket|_sum|_count)?(\{.*)?$/, ""))
    .filter((name) => !/^(process|nodejs)_/.test(name));
  expect([...new Set(names)].toSorted()).toEqual([
    "db_client_connection",
    "db_client_connection_max",
    "db_client_connection_pending_requests",
    "http_server_active_requests",
    "http_server_request_duration_seconds",
    "service_build_info",
    "service_check",
    "service_queue_length",
    "service_sign_ins_total",
  ]);
  const bounds = [...found.keys()].flatMap(
    (one) => /_bucket\{le="([^"]+)",http/.exec(one)?.[1] ?? [],
  );
  expect([...new Set(bounds)].join(" ")).toBe(
    "0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf",
  );
  expect((await ask("/")).status).toBe(404);
  expect((await ask("/api/products")).status).toBe(404);
});

/** Those of apps with jobs, or with logged changes. */
const ofSomeApps = ["service_jobs_total", "service_webhooks_disabled"];

test("it has every metric of the dashboard and the alerts that `service init --deploy` writes", async () => {
  const { samples } = await measuredAlone();
  const names = new Set([...(await samples()).keys()].map((one) => one.replace(/\{.*$/, "")));
  const dashboard = JSON.parse(deployText("deploy/grafana.json"));
  const shown = dashboard.panels.flatMap(
    ({ targets = [] }: { readonly targets?: readonly { readonly expr: string }[] }) =>
      targets.map(({ expr }) => expr),
  );
  const alerts = parse(deployText("deploy/alerts.yaml")).groups.flatMap(
    ({ rules }: { readonly rules: readonly { readonly expr: string }[] }) =>
      rules.map(({ expr }) => expr),
  );
  expect([shown.length > 15, alerts.length > 10]).toEqual([true, true]);
  for (const expression of [...shown, ...alerts, dashboard.templating.list[1].query]) {
    const named = [...expression.matchAll(/([a-z_]\w*)\{job="service"/g)].map(([, name]) => name);
    expect(named.length, expression).toBeGreaterThan(0);
    expect(expression.match(/\{(?!\{)/g), "no metric without the job").toHaveLength(named.length);
    for (const name of named) expect([...names, ...ofSomeApps]).toContain(name);
  }
});

test("while the database hangs, the page has the last lengths of its queues", async () => {
  let count = async () => 7;
  const checks = { database: async () => "ok" as const };
  const { registry, addGauges } = newMetrics({ hasJobs: false, hasChanges: false });
  addGauges({
    ...{ version: "1", pool: () => ({ idle: 0, total: 0, max: 0, pending: 0 }) },
    ...{ streams: null, checks },
    waiting: { passwords: () => 0, pictures: () => 0 },
    stored: { mails: () => count(), jobs: () => count() },
    disabledWebhooks: () => count(),
  });
  const page = async () => pageOf([await snapshotOf(registry)]);
  await page();
  count = () => new Promise(() => {});
  const shown = await page();
  expect(shown).toContain('service_queue_length{queue="mails"} 7');
  expect(shown).toContain('service_queue_length{queue="jobs"} 7');
  expect(shown).toContain("service_webhooks_disabled 7");
});

test("the page sums all processes, and loses nothing when one is replaced", async () => {
  const { server, samples } = await measured("3");
  expect((await instances(server, 30)).size).toBe(3);
  const before = await samples();
  expect(counted(before, "GET", "/api/auth/config", 200)).toBe(30);
  expect([...before.keys()].filter((one) => one.includes("worker"))).toEqual([]);
  expect(before.get("db_client_connection_max")).toBe(30);
  expect(before.get('service_check{check="database"}')).toBe(1);
  expect(before.get('service_build_info{version="0.5.0"}')).toBe(1);
  const [victim = 0] = workersOf(server.process);
  process.kill(victim, "SIGKILL");
  await expect.poll(() => workersOf(server.process).includes(victim)).toBe(false);
  const after = await samples();
  expect(counted(after, "GET", "/api/auth/config", 200)).toBe(30);
  await getAnew(server.anonymous, "/auth/config");
  expect(counted(await samples(), "GET", "/api/auth/config", 200)).toBe(31);
  // One that is told to end says what it has counted since.
  await instances(server, 10);
  const [leaving = 0] = workersOf(server.process);
  process.kill(leaving, "SIGTERM");
  await expect.poll(() => workersOf(server.process).includes(leaving)).toBe(false);
  expect(counted(await samples(), "GET", "/api/auth/config", 200)).toBe(41);
});

test("a port that is taken refuses the start", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  for (const WORKERS of ["1", "2"]) {
    const { exitCode, stderr } = await host.run({ WORKERS, METRICS: `${port}` });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Metrics cannot be served: listen EADDRINUSE.* \(set server\.metrics\.port/,
      ),
    ]);
  }
  other.close();
});

const working = `
import { Router } from "express";
import { z } from "zod";
import { createApp } from "./generated/app.js";
const routes = Router();
routes.post("/work", async (_request, response) => response.json(await app.jobs.add("trace", {})));
const run = (_input, { log, traceparent }) => log.info({ traceparent }, "worked");
const app = await createApp({ routes, jobs: { trace: { input: z.object({}), run } } });
await app.listen();
`;

test("jobs are counted and timed, and have the trace of the request that added them", async () => {
  writeFileSync(join(host.root, "dist/server.js"), working);
  for (const name of ["express", "zod"]) {
    const module = join(import.meta.dirname, "../../../node_modules", name);
    const link = join(host.root, "node_modules", name);
    rmSync(link, { force: true });
    symlinkSync(module, link);
  }
  const { server, samples } = await measured("1");
  let lines = "";
  server.process.stdout.on("data", (chunk) => {
    lines += chunk;
  });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect((await server.admin.send("POST", "/work", { headers: { traceparent } })).status).toBe(200);
  const ended = async () => (await samples()).get('service_jobs_total{name="trace",result="done"}');
  await expect.poll(ended).toBe(1);
  const found = Object.fromEntries(await samples());
  expect(found).toMatchObject({
    'service_job_duration_seconds_count{name="trace"}': 1,
    'service_queue_length{queue="jobs"}': 0,
  });
  await expect.poll(() => lines).toMatch(`"traceparent":"${traceparent}","msg":"worked"`);
});
