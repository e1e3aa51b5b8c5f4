import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { expect } from "vitest";
import { type Embedded, startEmbedded } from "../../../bin/embedded/load.js";
import { removeAppFolder } from "../apps/app-folder.js";
import { created } from "../apps/shop.js";
import { account, copyShop } from "../apps/shop-template.js";
import { type Client, client, type Row } from "../http/client.js";

/** The compiled shop in a folder of its own, with a PostgreSQL that nobody else uses. */
export interface ShopHost {
  readonly root: string;
  readonly databaseUrl: string;
  startDatabase(): Promise<void>;
  stopDatabase(): Promise<void>;
  /** Ends PostgreSQL as `kill -9` does, and starts it again. */
  killDatabase(): Promise<void>;
  /** Runs `server.js`. */
  run(env?: Readonly<Record<string, string>>): ServerProcess;
  /** Runs it, waits until it listens and signs in. */
  serve(env?: Readonly<Record<string, string>>): Promise<ShopServer>;
  /** Stops everything and leaves nothing behind. */
  close(): Promise<void>;
}

export type ServerProcess = ReturnType<typeof runServer>;

/** A server that listens. */
export interface ShopServer {
  readonly process: ServerProcess;
  readonly url: string;
  /** Of a new account with the role `admin`. */
  readonly token: string;
  readonly admin: Client;
  readonly anonymous: Client;
  /** A category for products. */
  readonly category: Row;
}

export { account };

/** Starts the PostgreSQL of a copied shop. `settings` are added to `service.yaml`. */
export async function openHost(settings = ""): Promise<ShopHost> {
  const root = await copyShop();
  writeFileSync(
    join(root, "service.yaml"),
    `auth: { check_breached_passwords: false }\n${settings}`,
  );

  const processes: ServerProcess[] = [];
  let database: Embedded | null = await startEmbedded({ root, settings: { fsync: "off" } });
  const databaseUrl = database.url;

  async function startDatabase(): Promise<void> {
    database ??= await startEmbedded({ root, settings: { fsync: "off" } });
  }

  async function stopDatabase(): Promise<void> {
    const stopped = database;
    database = null;
    await stopped?.stop();
  }

  async function killDatabase(): Promise<void> {
    const record = JSON.parse(readFileSync(join(root, ".service/database.json"), "utf8"));
    const file = join(resolve(root, record.data), "postmaster.pid");
    const [pid] = readFileSync(file, "utf8").split("\n");
    process.kill(Number(pid), "SIGKILL");
    await stopDatabase().catch(() => {});
    await startDatabase();
  }

  function start(env: Readonly<Record<string, string>> = {}): ServerProcess {
    const started = runServer(root, { DATABASE_URL: databaseUrl, ...env });
    processes.push(started);
    return started;
  }

  async function serve(env: Readonly<Record<string, string>> = {}): Promise<ShopServer> {
    const started = start(env);
    const url = await listening(started);
    const anonymous = client(url, null);
    const token = await signIn(anonymous);
    const admin = client(url, token);
    const category = await created(admin, "categories", { name: `Category of ${url}` });
    return { process: started, url, token, admin, anonymous, category };
  }

  /** Of a file with many servers, whose tests are tried again, the account has too many sign-ins: they are forgotten. */
  async function signIn(anonymous: Client): Promise<string> {
    const ask = () => anonymous.post<{ token: string }>("/auth/token", account);
    let reply = await ask();
    if (reply.status === 429) {
      const db = new pg.Client({ connectionString: databaseUrl });
      await db.connect();
      await db.query("delete from service.attempts");
      await db.end();
      reply = await ask();
    }
    expect(reply.status, reply.text).toBe(201);
    return reply.body.token;
  }

  async function close(): Promise<void> {
    for (const started of processes) started.kill("SIGKILL");
    await Promise.all(processes);
    await stopDatabase();
    removeAppFolder(root);
  }

  return { root, databaseUrl, startDatabase, stopDatabase, killDatabase, run: start, serve, close };
}

/** Runs a compiled app's server. */
export function runServer(root: string, env: Readonly<Record<string, string>>) {
  return execa(process.execPath, ["dist/server.js"], {
    cwd: root,
    // A line of its log says that it listens, whatever level another test has set in this process.
    env: {
      ...{ PORT: "0", SERVICE_LOG_LEVEL: "info" },
      ...{ SERVICE_SECRET: "a secret of the tests, long enough", ...env },
    },
    reject: false,
  });
}

/** The address from the line with which the server says that it listens. */
export function listening(started: ServerProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    started.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const address = /"address":"([^"]+)"/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    started.then(
      ({ exitCode, stderr }) => reject(new Error(`The server ended with ${exitCode}: ${stderr}`)),
      reject,
    );
  });
}
