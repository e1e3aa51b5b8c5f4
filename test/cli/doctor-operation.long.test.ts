import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { diskFinding } from "../../runtime/command/doctor/operation/disk.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import type { TestDatabase } from "../support/database/database.js";
import { migratedApp, service } from "./service.js";

let root: string;
let database: TestDatabase;
let db: pg.Client;

beforeAll(async () => {
  ({ root, database } = await migratedApp());
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await database.drop();
  removeAppFolder(root);
});

/** The lines of one check, with their hints. */
async function linesOf(check: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await service(root, ["doctor"], { env });
  const lines = stdout.split("\n");
  return lines.filter((line, at) => {
    const own = line.startsWith("  hint: ") ? (lines[at - 1] ?? "") : line;
    return new RegExp(`^\\w+ +${check}: `).test(own);
  });
}

/** Runs the command that a hint names. */
async function run(hint = "", at = 0): Promise<void> {
  const statement = [...hint.matchAll(/db psql -c '([^']+)'/g)][at]?.[1] ?? "no command";
  const { exitCode, stderr } = await service(root, ["db", "psql", "-c", statement]);
  expect([exitCode, stderr]).toEqual([0, ""]);
}

test("reports that the clocks of machine and database differ", async () => {
  expect(await linesOf("clock")).toEqual([
    "ok       clock: the database's clock agrees with this machine's",
  ]);
  const late = `const Exact = Date; globalThis.Date = class extends Exact {
    constructor(...given) { super(...(given.length === 0 ? [Exact.now() - 60_000] : given)); }
  };`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(late)}` };
  expect(await linesOf("clock", env)).toEqual([
    "warning  clock: the database's clock is 60 s ahead of this machine's",
    "  hint: synchronize both with the same time servers: timedatectl set-ntp true",
  ]);
});

test("reports that there is no backup, or that the last one is old, once there is data to lose", async () => {
  expect(await linesOf("backups")).toEqual([]);
  await db.query(
    "insert into service.users (id, name, email) values (gen_random_uuid(), 'A', 'a@a.a')",
  );
  const [line, hint = ""] = await linesOf("backups");
  expect(line).toBe("warning  backups: service backup has not made a backup yet");
  expect(hint).toMatch(/each night: npx service .*backup app\.backup --encrypt$/);
  const env = { SERVICE_BACKUP_PASSPHRASE: "a passphrase of the tests" };
  const made = await service(root, ["backup", join(root, "app.backup"), "--encrypt"], { env });
  expect(made).toMatchObject({ exitCode: 0 });
  const today = new Date().toISOString().slice(0, 10);
  expect(await linesOf("backups")).toEqual([`ok       backups: the last one is from ${today}`]);
  await db.query("update service.remarks set at = '2026-01-02T03:04:05Z' where name = 'backup'");
  const [old] = await linesOf("backups");
  expect(old).toMatch(/^warning {2}backups: the last one is from 2026-01-02, \d+ days ago$/);
  await db.query("delete from service.users; delete from service.remarks");
});

test("compares the connections of all processes with PostgreSQL's limit", async () => {
  expect(await linesOf("connections")).toEqual([
    "ok       connections: one process of the server may open 15 connections in all; max_connections allows 297",
  ]);
  writeFileSync(join(root, "service.yaml"), "server: { workers: 30 }\n");
  const [line, hint] = await linesOf("connections");
  expect([line, hint]).toEqual([
    "problem  connections: 30 processes of the server may open 392 connections in all; max_connections allows 297",
    expect.stringMatching(
      /^ {2}hint: set database\.pool_size to 6, or run: npx service -C \S+ db psql -c 'alter system set max_connections = 395', and restart PostgreSQL$/,
    ),
  ]);
  writeFileSync(
    join(root, "service.yaml"),
    "server: { workers: 30 }\ndatabase: { pool_size: 6 }\n",
  );
  expect(await linesOf("connections")).toEqual([
    "ok       connections: 30 processes of the server may open 272 connections in all; max_connections allows 297",
  ]);
  writeFileSync(join(root, "service.yaml"), "");
  const name = db.escapeIdentifier(db.database ?? "");
  await db.query(`alter database ${name} connection limit 12`);
  const [, limited] = await linesOf("connections");
  expect(limited).toContain("set database.pool_size to 7, or run: ");
  await run(limited);
  expect(await linesOf("connections")).toEqual([
    expect.stringMatching(
      /^ok +connections: .* may open 15 connections in all; database "?\w+"? allows 15$/,
    ),
  ]);
  await db.query(`alter database ${name} connection limit -1`);
});

test("reports what a crash would lose, and the setting that causes it", async () => {
  expect(await linesOf("durability")).toEqual([
    "warning  durability: fsync is off: a crash of the machine may destroy the database, not only its last writes",
    expect.stringMatching(/alter system set fsync = on'.*select pg_reload_conf\(\)'$/),
    "warning  durability: full_page_writes is off: a crash of the machine may leave pages of which only a part was written",
    expect.stringMatching(/alter system set full_page_writes = on'.*select pg_reload_conf\(\)'$/),
    "warning  durability: synchronous_commit is off: a crash of PostgreSQL loses the last writes, although they were acknowledged",
    expect.stringMatching(/alter system set synchronous_commit = on'.*select pg_reload_conf\(\)'$/),
    "warning  durability: wal_level is minimal: there can be no replica, and no point-in-time recovery",
    expect.stringMatching(/alter system set wal_level = replica', and restart PostgreSQL$/),
  ]);
  const name = db.escapeIdentifier(db.database ?? "");
  await db.query(`alter database ${name} set synchronous_commit = on`);
  expect(await linesOf("durability")).toHaveLength(6);
  await db.query(`alter database ${name} set synchronous_commit = off`);
  const [, , , , , hint] = await linesOf("durability");
  expect(hint).toMatch(/alter database "?\w+"? reset synchronous_commit'$/);
  await run(hint);
});

test("names indexes built with another version of their collation", async () => {
  expect(await linesOf("collations")).toEqual([]);
  await db.query("update pg_collation set collversion = '0' where collname = 'und-x-icu'");
  expect(await linesOf("collations")).toEqual([
    expect.stringMatching(
      /und-x-icu had the version 0 .* and has [\d.]+: .*service\.views_resource_name_id_idx.* may be/,
    ),
    expect.stringMatching(/reindex database.*alter collation "und-x-icu" refresh version'$/),
  ]);
  await db.query('alter collation "und-x-icu" refresh version');
  expect(await linesOf("collations")).toEqual([]);
});

test("names a table that autovacuum does not keep up with", async () => {
  await db.query("truncate tasks");
  expect(await linesOf("autovacuum")).toEqual([
    "ok       autovacuum: it keeps up with every table",
  ]);
  await db.query("alter table tasks set (autovacuum_enabled = false)");
  await db.query(
    "insert into tasks (id, title) select gen_random_uuid(), n::text from generate_series(1, 3000) as n",
  );
  await db.query("delete from tasks where title <> '1'");
  await db.query("select pg_stat_force_next_flush()");
  await db.query("select 1");
  const [line, hint] = await linesOf("autovacuum");
  expect(line).toBe("warning  autovacuum: public.tasks: 2999 dead rows and 1 live ones");
  await run(hint, 0);
  await run(hint, 1);
  expect(await linesOf("autovacuum")).toEqual([
    "ok       autovacuum: it keeps up with every table",
  ]);
});

test("reports a proxy that is not trusted, if none is trusted", async () => {
  await db.query("delete from service.remarks");
  writeFileSync(join(root, "service.yaml"), "");
  expect(await linesOf("proxy")).toEqual([]);
  await db.query("insert into service.remarks (name, at) values ('untrusted-proxy', now())");
  expect(await linesOf("proxy")).toEqual([
    expect.stringMatching(
      /^warning {2}proxy: requests arrive with X-Forwarded-For, last on \d{4}-/,
    ),
    expect.stringContaining("set server.trust_proxy: 1 in service.yaml"),
  ]);
  writeFileSync(join(root, "service.yaml"), "server: { trust_proxy: 1 }\n");
  expect(await linesOf("proxy")).toEqual([]);
  writeFileSync(join(root, "service.yaml"), "");
  await db.query("update service.remarks set at = now() - interval '8 days'");
  expect(await linesOf("proxy")).toEqual([]);
});

test("compares the tags of responses at SERVICE_WEB_URL, with and without compression", async () => {
  const web = createServer((request, response) => {
    const isPlain = request.headers["accept-encoding"] === "identity";
    response.writeHead(200, { "service-doctor": "1", ...(isPlain && { etag: '"a"' }) });
    response.end("{}");
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  expect(await linesOf("tags", { SERVICE_WEB_URL: url })).toEqual([
    `warning  tags: ${url} removes the ETag of compressed answers`,
    expect.stringContaining("configure the proxy to pass on the ETag"),
  ]);
  web.close();
  expect(await linesOf("tags")).toEqual([]);
});

test.each([
  [500e9, 1000e9, "ok", "500.0 GB free (50 %) at /srv"],
  // Much, though a small share.
  [50e9, 1000e9, "ok", "50.0 GB free (5 %) at /srv"],
  // A small disk, hardly used.
  [0.9e9, 1e9, "ok", "0.9 GB free (90 %) at /srv"],
  [1.5e9, 100e9, "warning", "1.5 GB free (1 %) at /srv"],
  [0.1e9, 100e9, "problem", "0.1 GB free (0 %) at /srv"],
])("%d bytes of %d free are %s", (free, whole, state, found) => {
  const finding = diskFinding("/srv", { free, whole });
  expect([finding.state, finding.found]).toEqual([state, found]);
});

test("checks the disk of the app", async () => {
  expect((await linesOf("disk"))[0]).toMatch(
    new RegExp(`^\\w+ +disk: \\d+\\.\\d GB free \\(\\d+ %\\) at ${root}$`),
  );
});
