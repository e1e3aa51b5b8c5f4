import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const repository = join(import.meta.dirname, "../../..");
export const shop = join(repository, "fixtures/apps/shop");

export interface Server {
  readonly name: "emitted" | "E" | "R";
  readonly url: string;
  /** Megabytes that the process holds now. */
  memory(): number;
  stop(): void;
}

/** The emitted server and both references, each a process of its own on that database. */
export async function startServers(url: string): Promise<readonly Server[]> {
  const reference = (file: string) => join(repository, "dist/test/bench/reference", file);
  return [
    await start("emitted", [join(shop, "dist/server.js")], url),
    await start("E", [reference("express.js"), "--url", url], url),
    await start("R", [reference("node-http.js"), "--url", url], url),
  ];
}

async function start(name: Server["name"], args: readonly string[], url: string): Promise<Server> {
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: "measuring",
    DATABASE_URL: url,
    PORT: String(port),
    SERVICE_LOG_LEVEL: "warn",
    SERVICE_SECRET: "a secret for measuring, long enough",
  };
  const own = name === "emitted" ? [] : ["--port", String(port)];
  const child = spawn(process.execPath, [...args, ...own], { env, stdio: "ignore" });
  const address = `http://127.0.0.1:${port}`;
  await answering(child, address);
  return {
    name,
    url: address,
    memory: () => residentMemory(child.pid),
    stop: () => void child.kill("SIGKILL"),
  };
}

async function answering(child: ChildProcess, address: string): Promise<void> {
  for (let tries = 0; tries < 100 && child.exitCode === null; tries += 1) {
    const answered = await fetch(`${address}/api/_service/ping`).catch(() => null);
    if (answered !== null) return;
    await sleep(100);
  }
  child.kill("SIGKILL");
  throw new Error(`${address} does not answer`);
}

function residentMemory(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
