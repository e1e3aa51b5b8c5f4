import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../bin/embedded/port.js";
import { startLoad } from "../support/deploy/load.js";
import { type RunningProxy, startCaddy, startNginx } from "../support/deploy/proxies.js";
import { hasTool } from "../support/deploy/tools.js";
import { deployText } from "../support/deploy/written.js";
import { client } from "../support/http/client.js";
import { listen } from "../support/processes/listened.js";
import {
  account,
  openHost,
  type ServerProcess,
  type ShopHost,
} from "../support/processes/shop-process.js";
import { workersOf } from "../support/processes/workers.js";

const isComplete = [hasTool("nginx", "-v"), hasTool("caddy", "version")].every(Boolean);

describe.skipIf(!isComplete)(
  "behind nginx and Caddy as `service init --deploy` writes them",
  () => {
    let host: ShopHost;
    let ports: number[];
    let servers: ServerProcess[] = [];
    let proxies: readonly RunningProxy[] = [];
    beforeAll(async () => {
      host = await openHost(
        // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of service.yaml.
        "server: { workers: '${WORKERS:-1}', trust_proxy: 1, drain_delay_seconds: 3 }\n",
      );
      ports = [await freePort("127.0.0.1"), await freePort("127.0.0.1")];
    });
    afterEach(async () => {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      for (const server of servers) server.kill("SIGKILL");
      await Promise.all(servers);
      servers = [];
    });
    afterAll(() => host.close());

    async function serve(at: number, workers = "1"): Promise<void> {
      const started = host.run({ PORT: String(ports[at]), WORKERS: workers });
      const end = () => started.kill("SIGTERM");
      await listen({ output: started.stdout, ended: started, end }).sees(/is listening on/);
      servers[at] = started;
    }

    async function openProxies(behind: readonly number[]): Promise<void> {
      proxies = await Promise.all([
        startNginx(deployText("deploy/nginx.conf"), behind),
        startCaddy(deployText("deploy/Caddyfile"), behind),
      ]);
    }

    /** Both proxies pass on requests during the work; none is lost, and none is done twice. */
    async function losesNothing(work: () => Promise<void>): Promise<void> {
      const signIn = client(`http://127.0.0.1:${ports[0]}`, null);
      const { token } = (await signIn.post<{ token: string }>("/auth/token", account)).body;
      const loads = proxies.map(({ name, port }) =>
        startLoad({
          ...{ port, token, name: `${name} ${port}` },
          busy: 4,
          // Around the times for which idle connections are kept.
          pauses: [900, 1_000, 1_100, 1_900, 2_000, 2_100],
        }),
      );
      const start = performance.now();
      await work();
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      const sent = await Promise.all(loads.map((load) => load.end()));
      const figures = sent.map(
        ({ count, lost, slowest }, at) =>
          `${proxies[at]?.name}: ${count} requests, ${lost.length} lost, the slowest ${Math.round(slowest)} ms`,
      );
      process.stderr.write(`${work.name} took ${seconds} s\n${figures.join("\n")}\n`);
      expect(sent.flatMap(({ lost }) => lost)).toEqual([]);
      for (const { count } of sent) expect(count).toBeGreaterThan(100);
      const stored = await Promise.all(proxies.map(({ name, port }) => count(`${name} ${port}`)));
      expect(stored).toEqual(sent.map(({ created }) => created));
    }

    async function count(name: string): Promise<number> {
      const connection = new pg.Client({ connectionString: host.databaseUrl });
      await connection.connect();
      const { rowCount } = await connection.query(
        "select from categories where starts_with(name, $1)",
        [name],
      );
      await connection.end();
      return rowCount ?? 0;
    }

    test("two servers restarted within 10 s lose no request", async ({ skip }) => {
      await Promise.all([serve(0), serve(1)]);
      await openProxies(ports);
      const stopped: number[] = [];
      await losesNothing(async function restarts() {
        for (const at of ports.keys()) {
          const server = servers[at] ?? expect.unreachable();
          // Not execa's own, which kills it after five seconds.
          process.kill(server.pid ?? 0, "SIGTERM");
          stopped.push(performance.now());
          expect((await server).exitCode).toBe(0);
          await serve(at);
        }
        await sleep(1_000);
      });
      const [first = 0, second = 0] = stopped;
      // A busy machine may need longer for one restart. Nothing was lost either, but that is another case.
      skip(
        second - first >= 10_000,
        "the second server was stopped more than 10 s after the first",
      );
    });

    test("one with workers that gets SIGHUP loses no request", async () => {
      await serve(0, "2");
      await openProxies(ports.slice(0, 1));
      await losesNothing(async function reload() {
        const server = servers[0] ?? expect.unreachable();
        const before = workersOf(server);
        server.kill("SIGHUP");
        const renewed = () => workersOf(server).filter((worker) => !before.includes(worker));
        await expect.poll(() => renewed().length).toBe(2);
        await sleep(4_000);
      });
    });
  },
);
