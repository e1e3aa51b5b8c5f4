import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { giveTo, serverAccount } from "../../../bin/embedded/account.js";
import { appMachine, type Network, newNetwork } from "./network.js";
import { type Node, newNode } from "./node.js";
import { type Program, startProgram, until } from "./program.js";
import { openRoad, type Road } from "./road.js";

/** etcd, two PostgreSQL under Patroni, and HAProxy and pgbouncer before them, as docs/cluster has it. */
export interface Engines {
  readonly network: Network;
  readonly folder: string;
  readonly nodes: readonly [Node, Node];
  /** Between HAProxy and each node. */
  readonly roads: ReadonlyMap<Node, Road>;
  /** The app's database by HAProxy, and by pgbouncer and HAProxy. */
  readonly urls: { readonly haproxy: string; readonly pgbouncer: string };
  primary(): Promise<Node>;
  /** Waits until one is the primary and the other one its synchronous standby. */
  whole(): Promise<void>;
  /** Output of a command: `patronictl …`. */
  patroni(path: string, body: object, method?: "POST" | "PATCH"): Promise<string>;
  /** Asks a node's database itself, as a superuser. */
  ask<Row extends object>(node: Node, text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export async function startEngines(): Promise<Engines> {
  const network = newNetwork();
  const folder = mkdtempSync(join(tmpdir(), "service-cluster-"));
  chmodSync(folder, 0o755);
  const account = serverAccount(join(folder, "data"), folder);
  giveTo(account, folder);
  const programs: Program[] = [];
  const start = (name: string, ...args: string[]) => {
    const log = join(folder, `${name.split("/").at(-1)}.log`);
    const program = startProgram({ command: [name, ...args], account, log });
    programs.push(program);
    return program;
  };

  const etcd = startEtcd(network, folder, start);
  await until("etcd answers", async () => (await fetch(`${etcd}/health`)).ok);
  const node = (number: 1 | 2) =>
    newNode({ network, folder, account, number, etcd: new URL(etcd).host });
  const nodes = [node(1), node(2)] as const;
  const roads = new Map<Node, Road>();
  for (const [at, one] of nodes.entries()) {
    const road = await openRoad(network.address(101 + at), one.address, [5432, 8008]);
    roads.set(one, road);
  }

  const haproxy = join(folder, "haproxy.cfg");
  const section = "Route connections to the primary";
  const ways = nodes.reduce(
    (text, { address }, at) => text.replace(`${address}:5432`, `${network.address(101 + at)}:5432`),
    network.file(section),
  );
  writeFileSync(haproxy, ways);
  const pgbouncer = join(folder, "pgbouncer.ini");
  const users = join(folder, "userlist.txt");
  const settings = network.file(section, 2).replace("/etc/pgbouncer/userlist.txt", users);
  writeFileSync(pgbouncer, `${settings}unix_socket_dir =\n`);
  writeFileSync(users, '"shop" "change-me-4"\n');
  for (const file of [haproxy, pgbouncer, users]) giveTo(account, file);

  const [first, second] = nodes;
  first.start();
  await until("there is a primary", async () => (await first.status())?.role === "master", 90);
  second.start();
  start("haproxy", "-f", haproxy);
  start("pgbouncer", pgbouncer);

  async function ask<Row extends object>({ address }: Node, text: string, database = "shop") {
    const client = new pg.Client({
      connectionString: `postgres://postgres:change-me-1@${address}:5432/${database}`,
      connectionTimeoutMillis: 5_000,
      query_timeout: 20_000,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
  const makeDatabase = network.file("PostgreSQL under Patroni", 2).trim().split("\n");
  for (const line of makeDatabase) await ask(first, line, "postgres");

  async function primary(): Promise<Node> {
    let found: Node | undefined;
    await until("there is a primary", async () => {
      for (const one of nodes) {
        const status = await one.status();
        if (status?.role === "master" && status.state === "running") found = one;
      }
      return found !== undefined;
    });
    return found ?? first;
  }

  async function whole(): Promise<void> {
    await until("one is the primary, and the other one its synchronous standby", async () => {
      const states = await Promise.all(nodes.map((one) => one.status()));
      const roles = states.map((status) => status?.role).sort();
      return roles.join() === "master,replica" && states.some((status) => status?.sync === true);
    });
  }

  await whole();
  const app = network.address(appMachine);
  const urlAt = (port: number) => `postgres://shop:change-me-4@${app}:${port}/shop`;
  return {
    network,
    folder,
    nodes,
    roads,
    urls: { haproxy: urlAt(5432), pgbouncer: urlAt(6432) },
    primary,
    whole,
    patroni: async (path, body, method = "POST") => {
      const { address } = await primary();
      const answer = await fetch(`http://${address}:8008/${path}`, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return text;
    },
    ask: (one, text) => ask(one, text),
    close: async () => {
      await Promise.all(nodes.map((one) => one.stop()));
      await Promise.all(programs.map((program) => program.end("SIGKILL")));
      await Promise.all([...roads.values()].map((road) => road.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A single one: how etcd itself survives is its own matter. */
function startEtcd(
  network: Network,
  folder: string,
  start: (name: string, ...args: string[]) => Program,
): string {
  const url = `http://${network.address(11)}:2379`;
  const peers = `http://${network.address(11)}:2380`;
  const options = {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": url,
    "advertise-client-urls": url,
    "listen-peer-urls": peers,
    "initial-advertise-peer-urls": peers,
    "initial-cluster": `default=${peers}`,
  };
  start(
    "/usr/bin/etcd",
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  );
  return url;
}
