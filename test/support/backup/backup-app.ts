import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { backupKey, encryptFor } from "../../../runtime/auth/second-step/encrypted.js";
import { keptTables } from "../../../runtime/backup/tables/package-tables.js";
import { readConfig } from "../../../runtime/config/index.js";
import { type Given, type Outcome, service } from "../../cli/service.js";
import { makeAppFolder, removeAppFolder } from "../apps/app-folder.js";
import { emptyDatabase, migratedDatabase, type TestDatabase } from "../database/database.js";
import { filesBelow } from "../storage/files.js";

const shop = resolve(import.meta.dirname, "../../../fixtures/apps/shop");

export const secret = "a secret of the tests, long enough";

/** The shop's settings, migrations, database and files, without a server: what `backup` and `restore` work on. */
export interface BackupApp {
  readonly root: string;
  readonly db: pg.Client;
  readonly url: string;
  run(args: readonly string[], given?: Given): Promise<Outcome>;
  /** The files in its storage. */
  files(): readonly string[];
  close(): Promise<void>;
}

/** With the tables of the shop, or of another fixture; or with an empty database. */
export async function openBackupApp(
  kind: "migrated" | "empty",
  fixture = shop,
): Promise<BackupApp> {
  const root = makeAppFolder();
  cpSync(join(fixture, "migrations"), join(root, "migrations"), { recursive: true });
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
  const database: TestDatabase = await (kind === "empty"
    ? emptyDatabase()
    : migratedDatabase(join(fixture, "migrations")));
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\nSERVICE_SECRET=${secret}\n`);
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  return {
    root,
    db,
    url: database.url,
    run: (args, given) => service(root, args, given),
    files: () => filesBelow(join(root, "storage")),
    close: async () => {
      await db.end();
      await database.drop();
      removeAppFolder(root);
    },
  };
}

export const category = "018f0000-0000-7000-8000-000000000001";
const account = "018f0000-0000-7000-8000-0000000000a1";

/** The token of the device that is signed in. */
export const token = "the token of a device of the tests";

/** Fills every kept table, and the storage. */
export async function fill({ root, db }: BackupApp, files = 2): Promise<void> {
  const config = readConfig({
    root,
    environment: { SERVICE_SECRET: secret },
    databaseUrl: "postgres://x/x",
  });
  await db.query(
    `insert into service.users (id, name, email, role) values ($1, 'Ann', 'ann@example.com', 'admin')`,
    [account],
  );
  await db.query(
    `insert into service.sessions (id, user_id, token_hash, proofs, expires_at)
     values (gen_random_uuid(), $1, $2, '{password}', now() + interval '1 day')`,
    [account, createHash("sha256").update(token).digest()],
  );
  const key = encryptFor(config, { column: backupKey, accountId: account }, Buffer.alloc(32, 7));
  await db.query(
    "insert into service.second_steps (user_id, email, backup_key) values ($1, true, $2)",
    [account, key],
  );
  await db.query("insert into service.backup_codes values ($1, $2)", [account, Buffer.from("a")]);
  await db.query(
    `insert into service.passkeys (id, user_id, credential_id, public_key, counter, device_type, backed_up, transports, name, created_at)
     values (gen_random_uuid(), $1, 'c', 'k', 3, 'singleDevice', false, '{internal,"a b"}', E'Ann''s\\tkey\\n', now())`,
    [account],
  );
  await db.query(
    `insert into service.identities (id, user_id, provider, issuer, subject, created_at)
     values (gen_random_uuid(), $1, 'google', 'https://accounts.google.com', '1', now())`,
    [account],
  );
  await db.query(
    `insert into service.account_events (id, at, kind, account_id) values (gen_random_uuid(), now(), 'account-created', $1)`,
    [account],
  );
  await db.query(
    `insert into service.views (resource, name, query, by_id) values ('products', 'Dear', 'sort=-price', $1)`,
    [account],
  );
  await db.query(
    `insert into service.homes (user_id, blocks) values ($1, '[{"kind": "chart"}]'), (null, '[]')`,
    [account],
  );
  await db.query(
    `insert into service.trash (table_name, id, mark, is_root, deleted_by, image, cleared, parents, files)
     values (
       'products', gen_random_uuid(), gen_random_uuid(), true, $1, '{"name": "Old", "price": 1.50}',
       '[{"table": "products", "column": "main_id", "ids": []}]', $2, $3
     )`,
    [account, [`categories/${category}`], [keyOf(1)]],
  );
  await db.query("insert into categories (id, name) values ($1, 'Tea')", [category]);
  await storeFiles({ root, db }, numbersTo(files));
  await db.query(
    `insert into products (id, name, description, price, category_id, image)
     values (service.uuid_v7(), E'Grün\\\\t\\t', E'two\\nlines', 3.5, $1, $2)`,
    [category, keyOf(1)],
  );
  await db.query("update service.users set avatar = $2 where id = $1", [account, keyOf(2)]);
  // A change with a history, and one without, which have no numbers yet.
  await db.query(
    "insert into service.change_histories values ('products', 0) on conflict do nothing",
  );
  await db.query(
    `insert into service.changes_new (resource, op, id)
     select resource, 'create', $1 from unnest(array['products', 'categories']) as resource`,
    [category],
  );
  // What lives for minutes.
  await db.query(
    "insert into service.attempts (key, at, expires_at) values ('a', '{2030-01-01}', now() + interval '1 day')",
  );
}

export function keyOf(number: number): string {
  const field = number === 2 ? "users/avatar" : "products/image";
  return `${field}/2030/01/019b76da-a800-7000-8000-${String(number).padStart(12, "0")}-a.webp`;
}

export function bytesOf(number: number): Buffer {
  return Buffer.from(`the bytes of file ${number} `.repeat(40 * (1 + (number % 20))));
}

/** From one on. */
export function numbersTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, at) => at + 1);
}

/** Files that some upload has. */
export async function storeFiles(
  { root, db }: Pick<BackupApp, "root" | "db">,
  numbers: readonly number[],
): Promise<void> {
  const rows = numbers.map((number) => {
    const [key, bytes] = [keyOf(number), bytesOf(number)];
    const path = join(root, "storage", key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    const [resource, field] = key.split("/");
    const shown = { key, url: `/api/_service/files/${key}`, name: "a.png", mime: "image/webp" };
    const shape = { size: bytes.length, width: 1, height: 1, optimised: true, renditions: {} };
    return { key, resource, field, details: { ...shown, ...shape }, size: bytes.length };
  });
  const given = [JSON.stringify(rows)];
  await db.query(
    `insert into service.uploads (key, resource, field, details, unused_since)
     select key, resource, field, details, null
     from json_to_recordset($1) as one (key text, resource text, field text, details json)`,
    given,
  );
  await db.query(
    `insert into service.stored_objects (key, upload_key, size)
     select key, key, size from json_to_recordset($1) as one (key text, size bigint)`,
    given,
  );
}

/** Everything that an archive restores, as text. */
export async function contents({ root, db, files }: BackupApp): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  // An archive has all changes with their numbers.
  await db.query("select service.sequence_changes(5000)");
  const { rows: resources } = await db.query<{ name: string }>(
    "select format('public.%I', table_name) as name from service.tallies order by 1",
  );
  const kept = Object.entries(keptTables).map(([name, { rows }]) => ({
    name: `service.${name}`,
    where: rows,
  }));
  for (const { name, where = "true" } of [
    ...resources.map((one) => ({ ...one, where: undefined })),
    ...kept,
  ]) {
    const { rows } = await db.query(
      `select one::text from ${name} as one where ${where} order by one::text`,
    );
    all[name] = rows.map(({ one }) => one);
  }
  for (const file of files()) all[file] = readFileSync(join(root, "storage", file), "utf8");
  return all;
}

/** Faults of its totals. */
export async function wrongCounts({ db }: BackupApp): Promise<readonly unknown[]> {
  const { rows: counts } = await db.query("select * from service.wrong_counts()");
  const { rows: unkept } = await db.query("select * from service.unkept_tallies");
  return [...counts, ...unkept];
}
