import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { encrypt } from "../../runtime/secret/index.js";
import { startMailServer } from "../support/accounts/smtp.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { hasSwift, newBucket, startS3Server } from "../support/storage/s3.js";
import { copyApp, service, starterApp } from "./service.js";

/** Generated and migrated once; each test has a copy of it. */
let whole: { readonly root: string; readonly database: TestDatabase };
let root: string;
let database: TestDatabase;

beforeAll(async () => {
  whole = { root: await starterApp(), database: await emptyDatabase() };
  const env = { DATABASE_URL: whole.database.url };
  await service(whole.root, ["generate"]);
  await service(whole.root, ["migrate"], { env });
});
beforeEach(async () => {
  root = copyApp(whole.root);
  database = await cloneDatabase(whole.database);
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
});
afterAll(async () => {
  removeAppFolder(whole.root);
  await whole.database.drop();
});

async function sql(text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function findings(...args: string[]): Promise<{ exitCode: number | undefined; of: object }> {
  const { exitCode, stdout } = await service(root, ["doctor", "--json", ...args]);
  // The disk of the machine that runs the tests is as full as it is, and backups have tests of their own.
  const all = (JSON.parse(stdout).findings as JsonFinding[]).filter(
    ({ check }) => check !== "disk" && check !== "backups",
  );
  return { exitCode, of: Object.fromEntries(all.map((one) => [one.check, stateOf(one)])) };
}

interface JsonFinding {
  readonly check: string;
  readonly ok: boolean;
  readonly problem: string | null;
  readonly fix: string | null;
}

function stateOf({ ok, problem }: JsonFinding): string {
  if (!ok) return "problem";
  return problem === null ? "ok" : "warning";
}

const allWell = {
  node: "ok",
  configuration: "ok",
  secret: "ok",
  mailer: "ok",
  storage: "ok",
  database: "ok",
  migrations: "ok",
  schema: "ok",
  totals: "ok",
  search: "ok",
  encryption: "ok",
  clock: "ok",
  connections: "ok",
  // The PostgreSQL of the tests may forget everything in a crash.
  durability: "warning",
  autovacuum: "ok",
};

test("finds nothing to fix in a migrated app", async () => {
  expect(await findings()).toEqual({ exitCode: 0, of: allWell });
});

test("counts private files that are not yet where they belong", async () => {
  const path = join(root, "resources/tasks.yaml");
  appendFileSync(path, "  scan: { type: file, private: true }\n");
  const env = { DATABASE_URL: database.url };
  await service(root, ["generate"]);
  await service(root, ["migrate"], { env });
  expect((await findings()).of).toEqual({ ...allWell, "private files": "ok" });
  const key = "tasks/scan/2026/11/01a21502-c95c-7451-aac2-9316dc67a702-scan.pdf";
  await sql(
    `insert into service.uploads (key, resource, field, details) values ('${key}', 'tasks', 'scan', '{}')`,
  );
  await sql(
    `insert into service.stored_objects (key, upload_key, size) values ('${key}', '${key}', 1)`,
  );
  expect((await service(root, ["doctor"], { env })).stdout).toContain(
    "warning  private files: 1 object not yet where they belong",
  );
});

test("names the command for pending migrations", async () => {
  const bare = await emptyDatabase();
  const env = { DATABASE_URL: bare.url };
  const { exitCode, stdout } = await service(root, ["doctor"], { env });
  await bare.drop();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /problem +migrations: \d+ migrations pending\n {2}hint: run: npx service -C \S+ migrate$/,
  );
});

test("prints JSON of check, ok, problem and fix", async () => {
  writeFileSync(join(root, "service.yaml"), "server: { port: many }\n");
  const { stdout } = await service(root, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout);
  expect(findings[0]).toEqual({ check: "node", ok: true, problem: null, fix: null });
  expect(findings[1]).toEqual({
    check: "configuration",
    ok: false,
    problem: "service.yaml:1:17: server.port must be a whole number from 0 to 65535",
    fix: expect.any(String),
  });
});

test("a database that cannot be named or started hides no other problem", async () => {
  rmSync(join(root, ".env"));
  rmSync(join(root, "migrations/0001_create_tasks.sql"));
  writeFileSync(
    join(root, "service.yaml"),
    `database: { url: "\${MY_URL}" }\nmailer: { driver: smtp, url: "smtp://127.0.0.1:9" }\n`,
  );
  writeFileSync(join(root, "storage"), "a file");
  const unnamed = await service(root, ["doctor"]);
  expect(unnamed.exitCode).toBe(1);
  for (const words of [
    /problem +database: service\.yaml:1:18: database\.url needs \$\{MY_URL\}, which is not set/,
    /problem +mailer: smtp/,
    /problem +storage: files cannot be kept/,
    /problem +migrations: migrations\/0001_create_tasks\.sql:1:1: This migration is missing/,
  ]) {
    expect(unnamed.stdout).toMatch(words);
  }

  writeFileSync(join(root, "service.yaml"), "server: { port: many }\n");
  mkdirSync(join(root, ".service"), { recursive: true });
  writeFileSync(join(root, ".service/database.json"), "no JSON");
  const broken = await service(root, ["doctor"]);
  rmSync(join(root, ".service/database.json"));
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toMatch(/problem +database: .*database\.json cannot be read/);
  expect(broken.stdout).toMatch(/problem +configuration: service\.yaml:1:17: server\.port/);
});

test("reports migrations that migrate would refuse", async () => {
  appendFileSync(join(root, "migrations/0001_create_tasks.sql"), "-- more\n");
  const { exitCode, stdout } = await service(root, ["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /problem +migrations: migrations\/0001_create_tasks\.sql was changed after/,
  );
});

test("finds a wrong tally, and repairs it", async () => {
  await sql("insert into tasks (id, title) values (gen_random_uuid(), 'One')");
  await sql("update service.tasks__tally set total = total + 5 where slot = 3");
  const { exitCode, stdout } = await service(root, ["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("totals: tasks: for all, the tally has 6, but the table has 1");
  expect(await findings("--repair")).toEqual({ exitCode: 0, of: allWell });
  expect(await sql("select sum(total)::int as total from service.tasks__tally")).toEqual([
    { total: 1 },
  ]);
});

test("finds a disabled trigger, and enables it", async () => {
  await sql("alter table tasks disable trigger tally_insert");
  await sql("insert into tasks (id, title) values (gen_random_uuid(), 'One')");
  expect((await findings()).of).toEqual({ ...allWell, schema: "warning", totals: "problem" });
  expect(await findings("--repair")).toEqual({ exitCode: 0, of: allWell });
  await sql("insert into tasks (id, title) values (gen_random_uuid(), 'Two')");
  expect(await findings()).toEqual({ exitCode: 0, of: allWell });
});

test("reports a dropped tally", async () => {
  await sql("drop table service.tasks__tally");
  const { exitCode, stdout } = await service(root, ["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('totals: PostgreSQL refuses: relation "service.tasks__tally" does not');
});

test("warns of a search without its index, and builds it", async () => {
  await sql("drop extension pg_trgm cascade");
  const before = await findings();
  expect(before).toEqual({ exitCode: 0, of: { ...allWell, search: "warning" } });
  expect(await findings("--repair")).toEqual({ exitCode: 0, of: allWell });
  expect(await sql("select to_regclass('tasks__search')::text as name")).toEqual([
    { name: "tasks__search" },
  ]);
});

test("warns of tables that differ from the migrations", async () => {
  await sql('alter table tasks alter column title type text collate "C", drop column due_on');
  expect(await findings()).toEqual({ exitCode: 0, of: { ...allWell, schema: "warning" } });
  const { stdout } = await service(root, ["doctor"]);
  expect(stdout).toMatch(
    /schema: \d differences from what was migrated\n {2}hint: npx service -C \S+ migrate --status lists them/,
  );
  const record = join(root, "migrations/0001_create_tasks.json");
  rmSync(record);
  expect((await service(root, ["doctor"])).stdout).toContain(
    "schema: not compared: migrations/0001_create_tasks.sql: The record of this",
  );
  writeFileSync(record, "{}");
  expect((await service(root, ["doctor"])).stdout).toContain(
    "migrations: migrations/0001_create_tasks.json:1:1: This is not the record of",
  );
});

test("counts values that still need the previous secret, and those that no secret decrypts", async () => {
  const [former, present, foreign] = ["f".repeat(32), "p".repeat(32), "x".repeat(32)];
  await sql(
    `with account as (
       insert into service.users (id, name, email)
       values (gen_random_uuid(), 'Ada', 'ada@example.com')
       returning id
     )
     insert into service.second_steps (user_id, authenticator_secret, backup_key)
     select id, '\\x${sealedWith(former)}', '\\x${sealedWith(present)}'
     from account`,
  );
  const of = async (env: Readonly<Record<string, string>>) =>
    (await service(root, ["doctor"], { env })).stdout.match(/^.*encryption:.*\n.*$/m)?.[0];

  expect(await of({ SERVICE_SECRET: present, SERVICE_SECRET_PREVIOUS: former })).toMatch(
    /^warning +encryption: 1 secret encrypted with the previous one\n {2}hint: keep SERVICE_SECRET_PREVIOUS/,
  );
  expect(await of({ SERVICE_SECRET: present })).toMatch(
    /^problem +encryption: 1 secret cannot be decrypted\n {2}hint: set SERVICE_SECRET_PREVIOUS/,
  );
  expect(await of({ SERVICE_SECRET: foreign })).toMatch(
    /encryption: 2 secrets cannot be decrypted/,
  );
  await sql("delete from service.users");
  const { stdout } = await service(root, ["doctor"], { env: { SERVICE_SECRET: foreign } });
  expect(stdout).toContain("ok       encryption: SERVICE_SECRET decrypts everything");
});

function sealedWith(secret: string): string {
  const secrets = { secret: Buffer.from(secret), previousSecret: null };
  return encrypt(secrets, Buffer.from("anything"), "anywhere").toString("hex");
}

test("reports every mistake of the configuration and still checks the database", async () => {
  writeFileSync(join(root, "service.yaml"), "server: { port: many, hots: x }\n");
  const { exitCode, stdout } = await service(root, ["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout.match(/problem +configuration: service\.yaml:1:/g)).toHaveLength(2);
  expect(stdout).toContain("ok       totals: every tally is exact");
});

test("reports a database that cannot be reached, without its password", async () => {
  const env = { DATABASE_URL: "postgres://nobody:sesame@127.0.0.1:9/none" };
  const { exitCode, stdout, stderr } = await service(root, ["doctor"], { env });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/problem +database: The database cannot be reached/);
  expect(stdout + stderr).not.toContain("sesame");
});

test("signs in to the mail server, and reports its problems without its password", async () => {
  const user = { name: "shop", password: "sesame" };
  const server = await startMailServer({ user });
  const doctorWith = (password: string) => {
    const url = server.url.replace("//", `//shop:${password}@`);
    return service(root, ["doctor"], { env: { SERVICE_MAIL_URL: url } });
  };
  try {
    const right = await doctorWith("sesame");
    expect(right.stdout).toMatch(/ok +mailer: smtp, from "[^"]+" <no-reply@localhost>\n/);
    expect(right.exitCode).toBe(0);
    const wrong = await doctorWith("sesam");
    expect(wrong.stdout).toMatch(
      /problem +mailer: smtp: the mail server responded with 535 5\.7\.8 to AUTH PLAIN\n {2}hint: check SERVICE_MAIL_URL/,
    );
    expect(wrong.stdout + wrong.stderr).not.toContain("sesam");
    expect(wrong.exitCode).toBe(1);
    expect(server.mails).toEqual([]);
  } finally {
    await server.close();
  }
});

test("reports a folder in which files cannot be kept, and creates none", async () => {
  expect((await service(root, ["doctor"])).stdout).toContain(
    `ok       storage: ${join(root, "storage")}\n`,
  );
  expect(existsSync(join(root, "storage"))).toBe(false);
  writeFileSync(join(root, "storage"), "a file");
  const { exitCode, stdout } = await service(root, ["doctor"]);
  expect(stdout).toMatch(
    /problem +storage: files cannot be kept in .*: ENOTDIR.*\n {2}hint: check its permissions/,
  );
  expect(exitCode).toBe(1);
});

test.skipIf(!hasSwift)("tests a bucket, and reports its problems without the key", async () => {
  const server = await startS3Server();
  const { client } = await newBucket(server, "files");
  const doctorWith = (name: string, secret: string) => {
    const { endpoint, accessKeyId } = server;
    const storage = `{ driver: s3, bucket: ${name}, endpoint: "${endpoint}", force_path_style: true,
      access_key_id: "${accessKeyId}", secret_access_key: "\${SECRET}" }`;
    writeFileSync(join(root, "service.yaml"), `uploads:\n  storage: ${storage}\n`);
    return service(root, ["doctor"], { env: { SECRET: secret } });
  };
  try {
    const right = await doctorWith("files", server.secretAccessKey);
    expect(right.stdout).toContain("ok       storage: s3, bucket files\n");
    expect(right.exitCode).toBe(0);
    const wrong = await doctorWith("files", "sesame");
    expect(wrong.stdout).toMatch(
      /problem +storage: bucket files at \S+: the access key or its secret is wrong \(.*\n {2}hint: /,
    );
    expect(wrong.stdout + wrong.stderr).not.toMatch(/sesame|shop:service/);
    expect(wrong.exitCode).toBe(1);
    const none = await doctorWith("others", server.secretAccessKey);
    expect(none.stdout).toMatch(
      /there is no such bucket \(NoSuchBucket\)\n {2}hint: create the bucket others, or correct uploads\.storage\.bucket in service\.yaml\n/,
    );
  } finally {
    client.destroy();
    await server.close();
  }
});

test("explains the environment, and what to do about each setting", async () => {
  const plainly = await service(root, ["doctor"]);
  expect(plainly.stdout).toContain(
    "(NODE_ENV is not set: a secret is generated if none is set, as in development, but codes are not printed)",
  );
  const env = { NODE_ENV: "development", PORT: "http" };
  const wrong = await service(root, ["doctor"], { env });
  expect(wrong.stdout).toContain(
    "configuration: environment: PORT must be a whole number from 0 to 65535\n" +
      "  hint: correct it in the environment, or in .env\n",
  );
  writeFileSync(join(root, "service.yaml"), "\nserver: { port: http }\n");
  const written = await service(root, ["doctor"]);
  expect(written.stdout).toMatch(
    /service\.yaml:2:17: server\.port must .*\n {2}hint: correct line 2 of service\.yaml\n/,
  );
  writeFileSync(join(root, "service.yaml"), "");
  const production = {
    NODE_ENV: "production",
    SERVICE_SECRET: "x".repeat(32),
    SERVICE_WEB_URL: "http://shop.example",
  };
  expect(plainly.stdout).toContain(
    "ok       mailer: none: no mail is sent; npx service dev prints codes and links instead\n",
  );
  const developing = await service(root, ["doctor"], { env: { NODE_ENV: "development" } });
  expect(developing.stdout).toContain(
    "ok       mailer: none: no mail is sent; codes and links are printed to the console instead\n",
  );
  const warned = await service(root, ["doctor"], { env: production });
  expect(warned.stdout.match(/no mail is sent.*\n.*\n/g)).toEqual([
    expect.stringMatching(
      /^no mail is sent, while auth\.magic_link, .* are on\n {2}hint: set SERVICE_MAIL_URL, or mailer in service\.yaml\n$/,
    ),
  ]);
  expect(warned.stdout).toMatch(/^warning {2}mailer: mailer.driver is none, so no mail is sent/m);
  expect(warned.stdout).toMatch(
    /passkey there\n {2}hint: serve it over https under a host name, or set auth\.passkeys to false\n/,
  );
});

test("reports a production app without a database, as the server does", async () => {
  rmSync(join(root, ".env"));
  const env = { NODE_ENV: "production", SERVICE_SECRET: "x".repeat(32) };
  const { exitCode, stdout } = await service(root, ["doctor"], { env });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^problem\s+database: environment: DATABASE_URL is not set\n {2}hint: set it to a PostgreSQL address/m,
  );
  expect(stdout).not.toMatch(/^ok\s+database/m);
  expect(existsSync(join(root, ".service/postgres"))).toBe(false);
});

test("treats an unknown mail host as the rest of a password", async () => {
  const env = { SERVICE_MAIL_URL: "smtp://me:pass@word.invalid" };
  const { stdout } = await service(root, ["doctor"], { env });
  expect(stdout).toMatch(/mailer: smtp: .*\n {2}hint: .*percent-encode the password/);
});
