import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
import { missingPackages } from "../support/cluster/installed.js";
import {
  openScene,
  promoted,
  type Scene,
  standbyOf,
  switchOver,
} from "../support/cluster/scene.js";
import { ask } from "../support/load/ask.js";
import type { RunningLoad } from "../support/load/start.js";

const missing = missingPackages();
if (missing.length > 0) {
  process.stderr.write(
    `not installed: ${missing.join(", ")}; the tests of a cluster are skipped\n`,
  );
}

/** In CI there is no time for all. */
const isShort = process.env.CI !== undefined;

/** Seconds: Patroni lets a primary that says nothing keep its place for `ttl`, 20 s, and looks every two. */
const failoverSeconds = 30;

// They follow each other on the same machines. The last ones lead the servers on other ways to the database.
describe.skipIf(missing.length > 0)("three servers on a cluster", () => {
  let scene: Scene;
  let load: RunningLoad;
  /** Of the release that runs. */
  let root: string;
  beforeAll(async () => {
    scene = await openScene();
    root = scene.releases[0];
  });
  afterAll(() => scene?.close());
  beforeEach(async () => {
    load = await scene.startLoad();
  });
  afterEach(() => load.end());

  test("killing a server costs no more than its writes in progress", async () => {
    const { failed, writes } = await scene.during("a server is killed", async () => {
      await scene.servers.kill(0);
      await sleep(2_000);
      await scene.servers.start(0, root);
    });
    expect(failed.filter((said) => !/: 502 /.test(said))).toEqual([]);
    expect(failed.length).toBeLessThan(20);
    expect(writes).toBeLessThan(3);
    await scene.expectNothingLost(load);
  });

  test("a rolling restart fails no request", async () => {
    const { failed } = await scene.during("a rolling restart", () =>
      scene.servers.restartInTurn(root),
    );
    expect(failed).toEqual([]);
    await scene.expectNothingLost(load);
  });

  test("a rolling release over a migration fails no request", async () => {
    const { failed } = await scene.during("a rolling release over a migration", async () => {
      [, root] = scene.releases;
      const url = scene.engines.urls.haproxy;
      const { applied } = await migrate({ url, directory: join(root, "migrations") });
      expect(applied).toHaveLength(1);
      await scene.servers.restartInTurn(root);
    });
    expect(failed).toEqual([]);
    await scene.expectNothingLost(load);
  });

  test("a switchover is over within seconds, and limits are as before", async () => {
    const { engines, servers } = scene;
    const body = { email: "limited@example.com", password: "not the password" };
    const question = { method: "POST", path: "/auth/token", body };
    const { writes } = await scene.during("a switchover", async () => {
      for (let tries = 0; tries < 10; tries += 1) {
        expect((await ask(servers.urls[tries % 3] ?? "", question)).status).toBe(401);
      }
      await switchOver(engines);
      await engines.whole();
    });
    expect(writes).toBeLessThan(15);
    for (const url of servers.urls) {
      expect((await ask(url, question)).status).toBe(429);
      const { token } = load;
      const counted = await ask(url, { method: "GET", path: "/products", token });
      expect(counted.headers["ratelimit-policy"]).toBe('"per_token";q=100000;w=60');
    }
    await scene.expectNothingLost(load);
  });

  /** A power cut; where it is silent, nothing that is sent to the machine is answered, nor refused. */
  async function expectFailover(what: string, { isSilent }: { isSilent: boolean }): Promise<void> {
    const { engines } = scene;
    const { writes } = await scene.during(what, async () => {
      const leader = await engines.primary();
      if (isSilent) engines.roads.get(leader)?.block();
      await leader.crash();
      await promoted(engines, leader);
      engines.roads.get(leader)?.clear();
      leader.start();
      await engines.whole();
    });
    expect(writes).toBeLessThan(failoverSeconds);
    await scene.expectNothingLost(load);
  }

  test("a primary crashes, and its connections are reset", async () => {
    await expectFailover("the primary crashes", { isSilent: false });
  });

  test.skipIf(isShort)("a primary disappears without closing its connections", async () => {
    await expectFailover("the primary is gone without a word", { isSilent: true });
  });

  test.skipIf(isShort)(
    "a primary whose Patroni alone crashes is abandoned, though it runs",
    async () => {
      const { engines } = scene;
      const { writes } = await scene.during("Patroni alone crashes", async () => {
        const leader = await engines.primary();
        await leader.crashPatroni();
        await promoted(engines, leader);
        leader.start();
        await engines.whole();
      });
      expect(writes).toBeLessThan(failoverSeconds);
      await scene.expectNothingLost(load);
    },
  );

  test("without a standby, writes soon continue", async () => {
    const { engines } = scene;
    const { writes, reads } = await scene.during("the standby crashes", async () => {
      const standby = await standbyOf(engines);
      await standby.crash();
      await sleep(8_000);
      standby.start();
      await engines.whole();
    });
    expect(writes).toBeLessThan(10);
    expect(reads).toBeLessThan(3);
    await scene.expectNothingLost(load);
  });

  test.skipIf(isShort)(
    "with synchronous_mode_strict writes wait for a standby, and only reads continue",
    async () => {
      const { engines, servers } = scene;
      await engines.patroni("config", { synchronous_mode_strict: true }, "PATCH");
      const name = "Waits for a standby";
      const headers = { "idempotency-key": "waits-for-a-standby" };
      const { token } = load;
      const question = { method: "POST", path: "/categories", token, body: { name }, headers };
      const insist = () => ask(servers.urls[0] ?? "", question);
      const { writes, reads } = await scene.during("the standby crashes, strictly", async () => {
        const standby = await standbyOf(engines);
        await standby.crash();
        // It is stored, and not acknowledged. Repeated, it is under way, or its answer waits for a standby as well.
        const statuses: number[] = [];
        for (let tries = 0; tries < 2; tries += 1) {
          const { status, headers } = await insist();
          statuses.push(headers["retry-after"] === undefined ? 0 : status);
        }
        standby.start();
        await engines.whole();
        expect(statuses).toEqual([503, expect.toSatisfy((one) => [409, 503].includes(one))]);
      });
      const made = await insist();
      expect([made.status, made.headers["idempotency-replayed"]]).toEqual([201, "true"]);
      expect(writes).toBeGreaterThan(15);
      expect(reads).toBeLessThan(3);
      await engines.patroni("config", { synchronous_mode_strict: false }, "PATCH");
      await scene.expectNothingLost(load);
    },
  );

  test("a former primary to which an address still leads is not used", async () => {
    const { engines, servers, moving, ledger } = scene;
    moving.road.leadTo((await engines.primary()).address);
    await servers.restart(root, { DATABASE_URL: moving.url });
    const { failed } = await scene.during("the address follows late", async () => {
      await switchOver(engines);
      await engines.whole();
      ledger.newPhase();
      await sleep(2_000);
      // By a standby nobody was answered, not even who only reads.
      expect(ledger.phase.reads).toEqual([]);
      expect(ledger.phase.failed.length).toBeGreaterThan(20);
      moving.road.leadTo((await engines.primary()).address);
      await sleep(1_000);
      ledger.newPhase();
    });
    expect(failed).toEqual([]);
    await scene.expectNothingLost(load);
  });

  test("a primary behind pgbouncer disappears without closing its connections", async () => {
    const { engines, servers } = scene;
    await servers.restart(root, { DATABASE_URL: engines.urls.pgbouncer, PREPARE: "false" });
    await expectFailover("the primary is gone without a word, behind pgbouncer", {
      isSilent: true,
    });
  });
});
