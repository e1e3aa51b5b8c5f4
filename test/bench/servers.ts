import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../bin/embedded/port.js";
import { onClose } from "./closing.js";

export const repository = join(import.meta.dirname, "../../..");
export const shop = join(repository, "fixtures/apps/shop");
export const notes = join(repository, "fixtures/apps/notes");

export type ServerName = "emitted" | "E" | "R";

export interface Server {
  readonly name: ServerName;
  readonly pid: number | undefined;
  readonly url: string;
  /** Of the database that is its own. */
  readonly databaseUrl: string;
  /** Megabytes that the process holds now. */
  memory(): number;
  /** Milliseconds for which its threads have had a processor so far. */
  processorTime(): number;
  /** The end of what it wrote to stderr. */
  complaints(): string;
}

/** The compiled program of a reference. */
export function reference(name: string): string {
  return join(repository, "dist/test/bench/reference", `${name}.js`);
}

/** Starts one of them on that database, as a process of its own that answers. */
export function startServer(name: ServerName, databaseUrl: string): Promise<Server> {
  return name === "emitted"
    ? startEmitted(shop, databaseUrl)
    : startReference(name, programs[name], databaseUrl);
}

/** The notes app's server, or the reference for its lists. */
export function startNotes(name: "emitted" | "E", databaseUrl: string): Promise<Server> {
  return name === "emitted"
    ? startEmitted(notes, databaseUrl)
    : startReference(name, reference("owned"), databaseUrl);
}

/** The reference for lists of links. */
export function startArticles(databaseUrl: string): Promise<Server> {
  return startReference("E", reference("articles"), databaseUrl);
}

/** The reference for invoices. */
export function startInvoices(databaseUrl: string): Promise<Server> {
  return startReference("E", reference("invoices"), databaseUrl);
}

/** The reference for lists that are public by a condition. */
export function startPosts(databaseUrl: string): Promise<Server> {
  return startReference("E", reference("posts"), databaseUrl);
}

/** The reference for searches, beside the words of the emitted server's articles. */
export function startWords(databaseUrl: string): Promise<Server> {
  return startReference("E", reference("words"), databaseUrl);
}

/** Starts the compiled server of an app on that database. */
export async function startEmitted(app: string, databaseUrl: string): Promise<Server> {
  const port = await freePort("127.0.0.1");
  const child = run([join(app, "dist/server.js")], {
    DATABASE_URL: databaseUrl,
    SHOP_STORAGE: temporaryFolder(),
    PORT: String(port),
    SERVICE_WEB_URL: "https://shop.example.com",
    SERVICE_LOG_LEVEL: "warn",
    SERVICE_SECRET: "a secret for measuring, long enough",
  });
  return answering(child, { name: "emitted", databaseUrl, port });
}

async function startReference(
  name: ServerName,
  program: string,
  databaseUrl: string,
): Promise<Server> {
  const port = await freePort("127.0.0.1");
  const child = run([program, "--url", databaseUrl, "--port", String(port)], {});
  return answering(child, { name, databaseUrl, port });
}

async function answering(
  child: ChildProcess,
  {
    name,
    databaseUrl,
    port,
  }: { readonly name: ServerName; readonly databaseUrl: string; readonly port: number },
): Promise<Server> {
  const url = `http://127.0.0.1:${port}`;
  const complaints = listenTo(child);
  if (!(await isAnswering(child, url))) {
    throw new Error(`The server ${name} does not answer at ${url}. It said:\n${complaints()}`);
  }
  return {
    name,
    pid: child.pid,
    url,
    databaseUrl,
    memory: () => residentMemory(child.pid),
    processorTime: () => processorTime(child.pid),
    complaints,
  };
}

const programs = { E: reference("express"), R: reference("node-http") };

function run(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onClose(() => void child.kill("SIGKILL"));
  return child;
}

/** Reads stderr to its end: a server whose messages nobody takes would stop at some point. */
function listenTo(child: ChildProcess): () => string {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  return () => said;
}

async function isAnswering(child: ChildProcess, url: string): Promise<boolean> {
  for (let tries = 0; tries < 100 && child.exitCode === null; tries += 1) {
    if (await fetch(`${url}/api/_service/ping`).catch(() => null)) return true;
    await sleep(100);
  }
  return false;
}

/** Megabytes that a process holds; NaN where the system does not tell it. */
export function residentMemory(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}

/** Milliseconds for which the threads of a process have had a processor so far; NaN where the system does not tell it. */
export function processorTime(pid: number | undefined): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** A folder that is gone after the run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "service-bench-"));
  onClose(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
