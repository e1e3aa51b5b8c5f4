import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { createDatabase } from "../support/database/database.js";
import { type Listened, listen } from "../support/processes/listened.js";
import { starterApp, startService } from "./service.js";

/** A starter app that is developed. */
export interface DevApp {
  readonly root: string;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Besides the running app, as any other command would. */
  insertTask(url?: string): Promise<void>;
  /** Removes it, once nothing runs in it. */
  close(): Promise<void>;
}

/** What `dev` does is the same with the embedded database, which takes seconds to make: its `.env` names another. */
export async function openDevApp(): Promise<DevApp> {
  const root = await starterApp();
  const database = await createDatabase();
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  write(".env", `DATABASE_URL=${database.url}\n`);
  return {
    root,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    async insertTask(url = database.url) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("insert into tasks (id, title) values (gen_random_uuid(), 'One')");
      await client.end();
    },
    async close() {
      await database.drop();
      removeAppFolder(root);
    },
  };
}

/** A `service dev` that runs. */
export interface Dev extends Listened {
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit status, undefined when a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

export function startDevIn(
  root: string,
  env: Readonly<Record<string, string>> = { PORT: "0" },
  args: readonly string[] = [],
): Dev {
  const child = startService(root, ["dev", ...args], { env });
  const ended = child.then(({ exitCode }) => exitCode);
  return {
    ...listen({ output: child.stdout, ended, end: () => child.kill("SIGTERM") }),
    kill: (signal) => child.kill(signal),
    ended,
  };
}

/** Waits for the next server to answer; the address is its `/api`. */
export async function answersOf(dev: Dev): Promise<string> {
  const [, address = ""] = await dev.sees(/answers on (http:\S+\/api)/);
  return address;
}

export async function statusOf(address: string, path: string): Promise<number> {
  return (await fetch(`${address}${path}`)).status;
}
