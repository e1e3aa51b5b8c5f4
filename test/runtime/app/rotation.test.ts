import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { encrypt } from "../../../runtime/secret/index.js";
import { shopDatabase, startCodeApp } from "../../support/apps/code-app.js";
import type { TestDatabase } from "../../support/database/database.js";

const former = "f".repeat(32);

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await shopDatabase();
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await db.close();
  await database.drop();
});

async function backupKey(): Promise<Buffer | undefined> {
  const rows = await db.query<{ key: Buffer }>(
    "select backup_key as key from service.second_steps",
  );
  return rows[0]?.key;
}

test("a server that starts with a previous secret re-encrypts in the background", async () => {
  await db.query("delete from service.users");
  vi.unstubAllEnvs();
  const [row] = await db.query<{ id: string }>(
    `insert into service.users (id, name, email)
     values (gen_random_uuid(), 'Ada', 'ada@example.com')
     returning id`,
  );
  const secrets = { secret: Buffer.from(former), previousSecret: null };
  const sealed = encrypt(secrets, randomBytes(32), `backup-codes:${row?.id}`);
  await db.query(
    "insert into service.second_steps (user_id, email, backup_key) values ($1, true, $2)",
    [row?.id, sealed],
  );

  const plain = await startCodeApp(database, "");
  await plain.close();
  expect(await backupKey()).toEqual(sealed);

  vi.stubEnv("SERVICE_SECRET_PREVIOUS", former);
  const rotating = await startCodeApp(database, "");
  await expect.poll(backupKey).not.toEqual(sealed);
  await rotating.close();
});
