import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { migrate } from "../../../runtime/migrate/index.js";
import { removeAppFolder } from "../apps/app-folder.js";
import { judge } from "../load/judge.js";
import { type Ledger, longestGap, newLedger } from "../load/ledger.js";
import { addPeople, type RunningLoad, startLoad } from "../load/start.js";
import { newBucket, type S3Server, startS3Server, storageSettings } from "../storage/s3.js";
import { type Engines, startEngines } from "./engines.js";
import type { Node } from "./node.js";
import { until } from "./program.js";
import { buildNextShop, buildShop } from "./releases.js";
import { openRoad, type Road } from "./road.js";
import { type Servers, startServers } from "./servers.js";

/** Everything: engines, a bucket, three servers behind nginx, and clients that know what was acknowledged. */
export interface Scene {
  readonly engines: Engines;
  readonly servers: Servers;
  /** The folders of the shop and of its next release. */
  readonly releases: readonly [string, string];
  /** An address of its own that leads to one node, and to another one only when told. */
  readonly moving: { readonly url: string; readonly road: Road };
  readonly ledger: Ledger;
  /** Starts clients. */
  startLoad(): Promise<RunningLoad>;
  /** Experience of clients during the work. */
  during(what: string, work: () => Promise<void>): Promise<Met>;
  /** Waits for the clients, and checks their acknowledged writes. */
  expectNothingLost(load: RunningLoad): Promise<void>;
  close(): Promise<void>;
}

/** Experience of clients. */
export interface Met {
  /** Longest times without a correct answer to a write, and to a read; seconds. */
  readonly writes: number;
  readonly reads: number;
  readonly failed: readonly string[];
}

export async function openScene(): Promise<Scene> {
  const began = performance.now();
  const store = await startS3Server();
  await newBucket(store, "shop");
  const settings = settingsWith(store);
  const [engines, releases] = await Promise.all([
    startEngines(),
    Promise.all([buildShop(settings), buildNextShop(settings)]),
  ]);
  const { network, nodes, urls } = engines;
  await until("HAProxy leads to the primary", async () => {
    await migrate({ url: urls.haproxy, directory: join(releases[0], "migrations") });
    return true;
  });
  const ledger = newLedger();
  await addPeople(urls.haproxy, ledger);
  const servers = await startServers(3, releases[0], { DATABASE_URL: urls.haproxy });
  const road = await openRoad(network.address(41), nodes[0].address, [5432]);
  const url = new URL(urls.haproxy);
  url.hostname = network.address(41);
  report(`all is up after ${seconds(performance.now() - began)}`);

  async function during(what: string, work: () => Promise<void>): Promise<Met> {
    ledger.newPhase();
    await sleep(1_000);
    const began = performance.now();
    await work();
    const took = performance.now() - began;
    const { phase } = ledger;
    const done = performance.now();
    await until("a write is answered", async () => phase.writes.some((time) => time > done));
    await sleep(1_000);
    const [writes, reads] = [longestGap(phase.writes), longestGap(phase.reads)];
    report(
      `${what}: ${seconds(took)}, ${phase.requests} requests, ${phase.failed.length} failed; ` +
        `no write for ${writes.toFixed(1)} s, no read for ${reads.toFixed(1)} s`,
    );
    if (process.env.FIGURES !== undefined) report(inspect(kindsOf(phase.failed)));
    return { writes, reads, failed: [...phase.failed] };
  }

  return {
    engines,
    servers,
    releases,
    moving: { url: url.href, road },
    ledger,
    startLoad: () => startLoad(servers.url, servers.urls, ledger),
    during,
    expectNothingLost: async (load) => {
      await load.end();
      const primary = await engines.primary();
      await judge((text) => engines.ask(primary, text), load);
    },
    close: async () => {
      await road.close();
      await servers.close();
      await engines.close();
      await store.close();
      for (const root of releases) removeAppFolder(root);
    },
  };
}

/** Waits until the other node is the primary. */
export async function promoted({ nodes }: Engines, former: Node): Promise<Node> {
  const other = nodes.find((node) => node !== former) ?? former;
  await until("the standby is the primary", async () => {
    return (await other.status())?.role === "master";
  });
  return other;
}

/** Makes the other node the primary, by Patroni; the answer is the former one. */
export async function switchOver(engines: Engines): Promise<Node> {
  const leader = await engines.primary();
  await engines.patroni("switchover", { leader: leader.name });
  await promoted(engines, leader);
  return leader;
}

export async function standbyOf(engines: Engines): Promise<Node> {
  const primary = await engines.primary();
  return engines.nodes.find((node) => node !== primary) ?? primary;
}

function settingsWith(server: S3Server): string {
  return `auth: { check_breached_passwords: false, magic_link: false, passkeys: false }
server: { trust_proxy: 1 }
database: { prepare: "\${PREPARE:-true}" }
limits: { per_token: 100000/min }
uploads:
${storageSettings(server, "shop")}`;
}

/** Number of failures by kind. */
function kindsOf(failed: readonly string[]): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const said of failed) {
    const kind = said.replace(/[0-9a-f-]{36}|[\w-]{43}/g, "…");
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
