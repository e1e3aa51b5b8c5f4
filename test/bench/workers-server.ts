import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../bin/embedded/port.js";
import { linkPackages } from "../support/apps/link-packages.js";
import { childrenOf } from "../support/processes/processes.js";
import { processorTime, shop } from "./servers.js";

/** The shop's server in several processes. */
export interface WorkersServer {
  readonly url: string;
  /** Processor time of all its processes so far. */
  busySeconds(): number;
  stop(): Promise<void>;
}

/**
 * Starts the compiled shop on that database, with further lines of `service.yaml`; resolves when each of its processes has
 * answered.
 */
export async function startWorkers(
  databaseUrl: string,
  workers: number,
  settings = "",
): Promise<WorkersServer> {
  const folder = appFolder(`server: { workers: ${workers} }\n${settings}`);
  const port = await freePort("127.0.0.1");
  const env = {
    ...process.env,
    NODE_ENV: "measuring",
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    SERVICE_LOG_LEVEL: "warn",
    SERVICE_SECRET: "a secret for measuring, long enough",
  };
  const options = { cwd: folder, env, stdio: "inherit" } as const;
  const server = spawn(process.execPath, ["dist/server.js"], options);
  const url = `http://127.0.0.1:${port}`;

  async function stop(): Promise<void> {
    const ended = server.exitCode === null ? once(server, "exit") : null;
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  }

  try {
    await answering(server, url, workers);
  } catch (error) {
    await stop();
    throw error;
  }
  const busySeconds = () => {
    const times = [server.pid, ...childrenOf(server.pid)].map(processorTime);
    return times.reduce((sum, one) => sum + one, 0) / 1_000;
  };
  return { url, busySeconds, stop };
}

async function answering(server: ChildProcess, url: string, workers: number): Promise<void> {
  const seen = new Set<string>();
  for (let tries = 0; tries < 1000 && server.exitCode === null; tries += 1) {
    for (const instance of await instanceAt(url)) seen.add(instance);
    if (seen.size === workers) return;
    await sleep(20);
  }
  throw new Error(`${workers} processes do not answer on ${url}`);
}

/** The compiled shop with those settings. */
function appFolder(settings: string): string {
  const folder = mkdtempSync(join(tmpdir(), "service-bench-"));
  for (const part of ["dist", "migrations"]) {
    cpSync(join(shop, part), join(folder, part), { recursive: true });
  }
  linkPackages(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "service.yaml"), settings);
  return folder;
}

/** The process that answers on a new connection, by its part of the request's id; none while none does. */
function instanceAt(url: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    get(`${url}/api/auth/config`, { agent: false }, (answer) => {
      answer.resume();
      resolve([String(answer.headers["x-request-id"]).split("-")[0] ?? ""]);
    }).once("error", () => resolve([]));
  });
}
