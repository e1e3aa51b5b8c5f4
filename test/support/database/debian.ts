import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { asAccount, serverAccount } from "../../../bin/embedded/account.js";
import { freePort } from "../../../bin/embedded/port.js";

/** The folder with its programs, such as `pg_dump`. */
export const programs = "/usr/lib/postgresql/15/bin";

export const hasPostgres15 = existsSync(`${programs}/postgres`);

/** Debian's PostgreSQL 15, the oldest that is supported, with an empty database. */
export async function startPostgres15(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "service-postgres-15-"));
  const account = serverAccount(join(folder, "data"), folder);
  if (account !== null) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, "data");
  const made = spawnSync(
    `${programs}/initdb`,
    ["-D", data, "-U", "app", "-A", "trust", "-E", "UTF8", "--no-sync"],
    asAccount(account),
  );
  if (made.status !== 0) throw new Error(String(made.stderr));
  const port = await freePort("127.0.0.1");
  const server = spawn(
    `${programs}/postgres`,
    ["-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-k", "", "-F"],
    { ...asAccount(account), stdio: "ignore" },
  );
  const url = `postgres://app@127.0.0.1:${port}/postgres`;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  await untilReady(url);
  return {
    url,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
