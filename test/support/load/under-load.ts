import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, vi } from "vitest";
import { freePort } from "../../../bin/embedded/port.js";
import { openHost, type ServerProcess, type ShopHost } from "../processes/shop-process.js";
import { judge } from "./judge.js";
import { type Ledger, newLedger } from "./ledger.js";
import { addPeople, type RunningLoad, startLoad } from "./start.js";

/** A shop on two servers, under the load of clients that record acknowledged writes. */
export interface UnderLoad {
  readonly host: ShopHost;
  readonly ledger: Ledger;
  /** Kills a server, and starts it again. */
  killServer(): Promise<void>;
  /** Waits for the servers: one that starts while its database does not answer ends. */
  untilReady(): Promise<void>;
  /** Starts clients when the servers are ready. */
  startLoad(): Promise<RunningLoad>;
  /** Waits until clients write again after a fault, so that the next one interrupts their work. */
  untilWriting(): Promise<void>;
  /** Lets the clients work for a while after the last fault, stops them and checks their ledger. */
  expectNothingLost(load: RunningLoad): Promise<void>;
  /** Asks the database itself. */
  ask<Row extends object>(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Number of each fault: two, and twenty in `npm run test:faults`. */
export const faultRounds = Number(process.env.FAULT_ROUNDS ?? 2);

/** Milliseconds for a test of this number of rounds. */
export const faultTimeout = 60_000 + faultRounds * 60_000;

export interface UnderLoadOptions {
  /** The text of `service.yaml`. */
  readonly settings?: string;
  /** Address of the database for the servers; by default that of the test. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** Their environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

export async function openUnderLoad(options: UnderLoadOptions = {}): Promise<UnderLoad> {
  const { settings, through = async (url) => url, variables = {} } = options;
  const host = await openHost();
  if (settings !== undefined) writeFileSync(join(host.root, "service.yaml"), settings);
  const ledger = newLedger();
  await addPeople(host.databaseUrl, ledger);
  const url = await through(host.databaseUrl);
  const ports = [await freePort("127.0.0.1"), await freePort("127.0.0.1")];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const run = (port: number): ServerProcess =>
    host.run({ PORT: String(port), DATABASE_URL: url, SERVICE_LOG_LEVEL: "error", ...variables });
  const servers = ports.map(run);

  async function ask<Row extends object>(text: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: host.databaseUrl });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function untilReady(): Promise<void> {
    for (const one of urls) {
      const isReady = async () => (await fetch(`${one}/api/_service/ready`)).ok;
      await vi.waitUntil(() => isReady().catch(() => false), { timeout: 60_000 });
    }
  }

  return {
    host,
    ledger,
    untilReady,
    killServer: async () => {
      servers[0]?.kill("SIGKILL");
      await servers[0];
      servers[0] = run(ports[0] ?? 0);
    },
    startLoad: async () => {
      await untilReady();
      return startLoad(urls[0] ?? "", urls, ledger);
    },
    untilWriting: async () => {
      const before = ledger.phase.writes.length;
      const written = () => ledger.phase.writes.length - before;
      await expect.poll(written, { interval: 20, timeout: 60_000 }).toBeGreaterThan(5);
    },
    expectNothingLost: async (load) => {
      await sleep(500);
      await load.end();
      await judge(ask, load);
      expect(ledger.phase.writes.length).toBeGreaterThan(20);
      ledger.newPhase();
    },
    ask,
    close: () => host.close(),
  };
}
