import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { asAccount, giveTo } from "./account.js";
import type { Binaries } from "./binaries.js";
import type { ClusterConfig } from "./data-folder.js";
import { EmbeddedError } from "./error.js";
import { isAlive } from "./server-process.js";

const run = promisify(execFile);

/** The only role; the server belongs to this app alone. */
export const role = "service";

/**
 * Creates the data directory if it is missing, under a temporary name that is then changed. An interrupted command thus
 * leaves no partial directory, and the second of two concurrent commands uses the first one's directory.
 */
export async function ensureCluster(
  config: ClusterConfig,
  binaries: Binaries,
  durable: "durable" | "quick",
) {
  if (existsSync(join(config.data, "PG_VERSION"))) return;
  removeStaleDrafts(config.data);
  const draft = `${config.data}.new-${process.pid}-${drafts++}`;
  mkdirSync(draft, { mode: 0o700 });
  try {
    giveTo(config.account, draft);
    const options = durable === "durable" ? [] : ["--no-sync"];
    await initialise(config, { binaries, draft, options });
    renameSync(join(draft, "data"), config.data);
  } catch (error) {
    if (!existsSync(join(config.data, "PG_VERSION"))) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

let drafts = 0;

interface Draft {
  readonly binaries: Binaries;
  /** The folder in which the data directory is created. */
  readonly draft: string;
  /** Further options of `initdb`. */
  readonly options: readonly string[];
}

async function initialise(config: ClusterConfig, { binaries, draft, options }: Draft) {
  const password = join(draft, "password");
  writeFileSync(password, config.password, { mode: 0o600 });
  giveTo(config.account, password);
  const settings = [
    ...["--pgdata", join(draft, "data"), "--username", role, "--pwfile", password],
    ...["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"],
    ...["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"],
  ];
  try {
    const program = join(binaries, "bin", "initdb");
    await run(program, [...settings, ...options], asAccount(config.account));
  } catch (error) {
    throw new EmbeddedError(
      `The embedded PostgreSQL could not create its data directory ${config.data}: ${error}`,
      "check the free space and the permissions of that folder",
    );
  }
}

/** Removes temporary directories that killed commands left behind. */
function removeStaleDrafts(data: string): void {
  const prefix = `${basename(data)}.new-`;
  for (const name of readdirSync(dirname(data))) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10)))
      continue;
    rmSync(join(dirname(data), name), { recursive: true, force: true });
  }
}
