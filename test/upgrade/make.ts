import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import pg from "pg";
import { startEmbedded } from "../../bin/embedded/load.js";
import { freePort } from "../../bin/embedded/port.js";
import { readMigrations } from "../../runtime/migrate/index.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { dumpOf } from "./dump.js";
import { fill } from "./fill.js";

/**
 * `npm run release-data`: writes to `fixtures/releases/<version>/` what an app of this version has after people have used
 * it: its migrations, its database as an SQL script, its files, and what a test has to know of them. Run it once,
 * right before a release; later versions are tried on what it wrote. The descriptors of a new version are those of the
 * newest one, until somebody changes them.
 */
const packageFile = createRequire(import.meta.url).resolve("service-cli/package.json");
const { version }: { version: string } = JSON.parse(readFileSync(packageFile, "utf8"));
const releases = join(dirname(packageFile), "fixtures/releases");
const root = join(releases, version);
const command = join(dirname(packageFile), "dist/bundle/service.js");
const made = ["generated", "dist", "migrations", "storage", ".service"];

if (!existsSync(root)) await copyNewest();
removeMade();
const home = makeAppFolder();
const database = await startEmbedded({ root: home });
try {
  await make(database.url);
} finally {
  await database.stop();
  removeAppFolder(home);
  for (const name of ["generated", "dist", ".service"]) {
    rmSync(join(root, name), { recursive: true, force: true });
  }
}

async function make(url: string): Promise<void> {
  const given = {
    secret: "a secret of the stored databases, long enough",
    origin: "http://localhost:3001",
    password: "a password of the stored databases",
    admin: "admin@example.com",
  };
  const port = String(await freePort("127.0.0.1"));
  const env = {
    DATABASE_URL: url,
    PORT: port,
    SERVICE_SECRET: given.secret,
    SERVICE_WEB_URL: given.origin,
    SERVICE_LOG_LEVEL: "warn",
  };
  const service = (args: readonly string[], input = "") =>
    execa(process.execPath, [command, "-C", root, ...args], { env, input });
  await service(["generate"]);
  await service(["migrate"]);
  const who = ["--email", given.admin, "--name", "Admin", "--role", "admin"];
  await service(["user", "create", ...who, "--password-stdin"], given.password);
  await execa("tsc", ["-p", root], { preferLocal: true, localDir: dirname(packageFile) });
  const server = execa(process.execPath, [join(root, "dist/server.js")], {
    cwd: root,
    env,
    stdout: "ignore",
    stderr: "inherit",
    reject: false,
  });
  try {
    const address = `http://127.0.0.1:${port}`;
    await answering(address);
    const known = await fill({ url: address, ...given });
    write("known.json", known);
  } finally {
    server.kill("SIGTERM");
    await server;
  }
  const client = new pg.Client(url);
  await client.connect();
  writeFileSync(join(root, "database.sql"), await dumpOf(client));
  await client.end();
  write("package-migrations.json", await packageMigrations());
}

async function packageMigrations(): Promise<Readonly<Record<string, string>>> {
  const files = await readMigrations(join(root, "migrations"));
  return Object.fromEntries(
    files.flatMap(({ source, name, sql }) =>
      source === "package" ? [[name, createHash("sha256").update(sql).digest("hex")]] : [],
    ),
  );
}

function write(name: string, value: unknown): void {
  writeFileSync(join(root, name), `${JSON.stringify(value, null, 2)}\n`);
}

async function answering(address: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await fetch(`${address}/api/_service/ping`).catch(() => null)) return;
    await sleep(100);
  }
  throw new Error("The server does not answer");
}

async function copyNewest(): Promise<void> {
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const newest = readdirSync(releases).sort(compare).at(-1);
  if (newest === undefined) throw new Error(`There is no release in ${releases}`);
  mkdirSync(root);
  const filter = (path: string) => !made.includes(basename(path));
  cpSync(join(releases, newest), root, { recursive: true, filter });
}

function removeMade(): void {
  for (const name of made) rmSync(join(root, name), { recursive: true, force: true });
}
