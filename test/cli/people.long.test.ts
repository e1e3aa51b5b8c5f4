import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import bcrypt from "bcrypt";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type Outcome, service } from "./service.js";

let database: TestDatabase;
let db: pg.Client;
let root: string;

const hash = bcrypt.hashSync("a lantern in the orchard", 4);

const schema = `
  create table users (
    id bigserial primary key,
    email varchar(255) not null,
    full_name text,
    encrypted_password text not null default '',
    confirmed_at timestamp,
    locked boolean not null default false,
    created_at timestamp not null default '2020-01-02 03:04:05'
  );
  create table orders (
    id bigserial primary key,
    user_id bigint not null references users,
    total integer not null
  );
  create table people (id uuid primary key default gen_random_uuid(), account text)`;

beforeEach(async () => {
  database = await emptyDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  root = makeAppFolder();
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
  await db.query(schema);
});
afterEach(async () => {
  await db.end();
  removeAppFolder(root);
  await database.drop();
});

function run(...args: readonly string[]): Promise<Outcome> {
  return service(root, args, { env: { DATABASE_URL: database.url } });
}

async function done(...args: readonly string[]): Promise<Outcome> {
  const outcome = await run(...args);
  expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  return outcome;
}

async function adopt(): Promise<void> {
  await done("adopt", "--accounts", "public.users", "--timezone", "UTC");
  await done("generate");
  await done("migrate");
}

const columns = `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
  where attrelid = 'users'::regclass and attnum > 0 and not attisdropped order by attnum desc limit 1`;
const keys = `select pg_get_constraintdef(oid) as key from pg_constraint
  where conrelid = 'users'::regclass and contype = 'f'`;
const unique = `select pg_get_indexdef(indexrelid) as index from pg_index
  where indrelid = 'users'::regclass and not indisprimary`;

test("--accounts makes the resource people, whose records link to accounts", async () => {
  await done("adopt", "--accounts", "public.users", "--timezone", "UTC");
  expect(readFileSync(join(root, "resources/people.yaml"), "utf8")).toContain(`
table: users
id: { column: id, type: integer }
`);
  expect(readFileSync(join(root, "resources/people.yaml"), "utf8")).toContain(`
  accountId: { type: belongsTo, resource: users, unique: true }
`);
  expect(readFileSync(join(root, "resources/public-people.yaml"), "utf8")).toContain(
    "table: people",
  );
  expect(readFileSync(join(root, "resources/orders.yaml"), "utf8")).toContain(
    "  userId: { type: belongsTo, resource: people, required: true, inverse: orders }",
  );
  const { problems, migration } = JSON.parse((await run("generate", "--json")).stdout);
  expect({ problems, migration }).toEqual({ problems: [], migration: null });
  await done("migrate");
  const added = { name: "account_id", type: "uuid" };
  const key = "FOREIGN KEY (account_id) REFERENCES service.users(id) ON DELETE SET NULL";
  const index =
    "CREATE UNIQUE INDEX users__account_id__unique ON public.users USING btree (account_id)";
  expect((await db.query(columns)).rows).toEqual([added]);
  expect((await db.query(keys)).rows).toEqual([{ key }]);
  expect((await db.query(unique)).rows).toEqual([{ index }]);
  const status = JSON.parse((await run("migrate", "--status", "--json")).stdout);
  expect(status).toMatchObject({ pending: [], differences: [] });
  await done("migrate", "--down");
  expect((await db.query(columns)).rows).toEqual([added]);
  await done("migrate");
  expect((await db.query(keys)).rows).toEqual([{ key }]);
  // A colleague's database, which is empty.
  const other = await emptyDatabase();
  const made = await service(root, ["migrate"], { env: { DATABASE_URL: other.url } });
  expect(made, made.stderr).toMatchObject({ exitCode: 0 });
  const client = new pg.Client({ connectionString: other.url });
  await client.connect();
  expect((await client.query(columns)).rows).toEqual([added]);
  expect((await client.query(keys)).rows).toEqual([{ key }]);
  expect((await client.query(unique)).rows).toEqual([{ index }]);
  await client.end();
  await other.drop();
  await db.query("alter table users drop column account_id");
  const lost = JSON.parse((await run("migrate", "--status", "--json")).stdout);
  expect(lost.differences).toMatchObject([{ table: "users", name: "account_id" }]);
});

test("a table that is adopted already gets the column by a later adopt", async () => {
  await done("adopt", "--timezone", "UTC");
  await done("generate");
  await done("migrate");
  const path = join(root, "resources/app-users.yaml");
  const before = readFileSync(path, "utf8");
  const { stdout } = await done("adopt", "--accounts", "users", "--timezone", "UTC", "--json");
  expect(JSON.parse(stdout)).toEqual({
    written: [
      "resources/app-users.yaml",
      "migrations/0002_adopt_app_users.sql",
      "migrations/down/0002_adopt_app_users.sql",
      "migrations/0002_adopt_app_users.json",
      "migrations/schema.json",
    ],
    report: [],
  });
  expect(readFileSync(path, "utf8")).toBe(
    `${before}  accountId: { type: belongsTo, resource: users, unique: true }\n`,
  );
  await done("generate");
  await done("migrate");
  expect((await db.query(columns)).rows).toEqual([{ name: "account_id", type: "uuid" }]);
  expect(await run("adopt", "--accounts", "users")).toMatchObject({ exitCode: 1 });
});

test("--accounts is refused for a table that cannot have the column", async () => {
  await db.query(`
    create table pairs (a int, b int, primary key (a, b));
    create table members (id int primary key, account_id int);
    create view shown as select id from users`);
  const refused = async (table: string) => {
    const { exitCode, stderr } = await run("adopt", "--accounts", table);
    expect(exitCode).toBe(1);
    return stderr;
  };
  expect(await refused("pairs")).toContain(
    "public.pairs is not adopted: the primary key has 2 columns",
  );
  expect(await refused("members")).toContain("public.members already has a column account_id");
  expect(await refused("shown")).toContain("public.shown is not a table");
  expect(await refused("nothing")).toContain('The schema public has no table "nothing"');
});

test("import users --from gives accounts to the rows that have none, and their links", async () => {
  await db.query(
    `insert into users (email, full_name, encrypted_password, confirmed_at, locked) values
       ('Ann@Example.com', 'Ann', $1, '2020-02-02', false), ('bob@example.com', '', '$P$Bphpass', null, true),
       ('eve@example.com', null, '', null, false)`,
    [hash],
  );
  await adopt();
  const options = [
    ...["--map", "full_name=name", "--map", "encrypted_password=passwordHash"],
    ...[
      "--map",
      "confirmed_at=emailVerified",
      "--map",
      "locked=disabled",
      "--map",
      "created_at=createdAt",
    ],
    ...["--timezone", "UTC"],
  ];
  const dry = await done("import", "users", "--from", "people", ...options, "--dry-run", "--json");
  expect(JSON.parse(dry.stdout)).toMatchObject({ rows: 3, created: 3 });
  expect((await db.query("select from service.users")).rows).toEqual([]);
  const { stdout, stderr } = await done(
    "import",
    "users",
    "--from",
    "people",
    ...options,
    "--json",
  );
  expect(JSON.parse(stdout)).toEqual({
    ...{ resource: "users", from: 1, rows: 3, created: 3, updated: 0, refused: 0, errors: [] },
    ...{ more: 0, errorsFile: null, withoutPassword: 2, hashes: { bcrypt: 1 }, otherHashes: 1 },
  });
  expect(stderr).toContain("1 account of these had a hash of another kind");
  expect(stderr + stdout).not.toContain("phpass");
  const { rows } = await db.query(
    `select u.email, a.email as address, a.name, a.password_hash as hash, a.created_at as created,
       a.email_verified_at is not null as verified, a.disabled_at is not null as disabled
     from users u join service.users a on a.id = u.account_id order by u.id`,
  );
  const created = new Date("2020-01-02T03:04:05Z");
  expect(rows).toEqual([
    {
      email: "Ann@Example.com",
      address: "ann@example.com",
      name: "Ann",
      hash,
      created,
      verified: true,
      disabled: false,
    },
    {
      email: "bob@example.com",
      address: "bob@example.com",
      name: "bob",
      hash: null,
      created,
      verified: false,
      disabled: true,
    },
    {
      email: "eve@example.com",
      address: "eve@example.com",
      name: "eve",
      hash: null,
      created,
      verified: false,
      disabled: false,
    },
  ]);
  await db.query("insert into users (email) values ('joe@example.com')");
  const again = await done("import", "users", "--from", "people", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ rows: 1, created: 1 });
  await db.query("delete from service.users where email = 'bob@example.com'");
  const third = await done("import", "users", "--from", "people", "--json");
  expect(JSON.parse(third.stdout)).toMatchObject({ rows: 1, created: 1 });
});

test("the commands of the page work", async () => {
  await db.query("insert into users (email) values ('ann@example.com')");
  const blockOf = (at: number) =>
    block("docs/existing-databases", "Accounts", at).trim().split("\n");
  for (const line of [
    ...blockOf(1),
    "npx service generate",
    "npx service migrate",
    ...blockOf(2),
  ]) {
    await done(...line.split(" ").slice(2));
  }
  expect((await db.query("select email from service.users")).rows).toEqual([
    { email: "ann@example.com" },
  ]);
});

test("rows with a repeated, empty or malformed address are named by their ids, and skipped if asked", async () => {
  await db.query(
    `insert into users (email, encrypted_password) values
       ('ann@example.com', 'x'), ('ANN@example.com', ''), ('', ''), ('nobody', ''), ('bob@example.com', '')`,
  );
  await adopt();
  const stopped = await run("import", "users", "--from", "people", "--json");
  expect(stopped.exitCode).toBe(1);
  const errors = [
    { row: 2, line: null, id: "2", column: "email", message: "Already has an account" },
    { row: 3, line: null, id: "3", column: "email", message: "A value is required" },
    { row: 4, line: null, id: "4", column: "email", message: "Must be an email address" },
  ];
  expect(JSON.parse(stopped.stdout)).toMatchObject({ created: 0, refused: 3, errors });
  expect(stopped.stderr).toContain("row 2, id 2, email: Already has an account");
  const linked = "select id::int from users where account_id is not null order by id";
  expect((await db.query(linked)).rows).toEqual([]);
  const skipped = await run("import", "users", "--from", "people", "--on-error", "skip", "--json");
  expect(skipped.exitCode).toBe(1);
  expect(JSON.parse(skipped.stdout)).toMatchObject({ created: 2, refused: 3, errorsFile: null });
  expect((await db.query(linked)).rows).toEqual([{ id: 1 }, { id: 5 }]);
  const file = join(root, "refused.csv");
  await run("import", "users", "--from", "people", "--on-error", "skip", "--errors", file);
  expect(readFileSync(file, "utf8")).toContain("1,,email,Already has an account,ANN@example.com");
});

test("--from is refused without a link to accounts, with a file, and with a column that the table lacks", async () => {
  await adopt();
  const refused = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await run("import", ...args);
    return [exitCode, stderr.trim().split("\n")[0]];
  };
  expect(await refused("users", "--from", "orders")).toEqual([
    1,
    expect.stringContaining("orders has no field accountId that links to accounts"),
  ]);
  expect(await refused("users", "--from", "persons")).toEqual([
    1,
    expect.stringContaining('There is no resource "persons"'),
  ]);
  expect(await refused("orders", "--from", "people")).toEqual([
    2,
    expect.stringContaining("--from is for users"),
  ]);
  expect(await refused("users", "file.csv", "--from", "people")).toEqual([
    2,
    expect.stringContaining("--from and a file exclude each other"),
  ]);
  expect(await refused("users", "--from", "people", "--resume", "--on-error", "skip")).toEqual([
    2,
    expect.stringContaining("--resume is for files only"),
  ]);
  expect(await refused("users", "--from", "people", "--map", "mail=email")).toEqual([
    1,
    expect.stringContaining('There is no column "mail" to map to email'),
  ]);
  expect(await refused("users")).toEqual([
    2,
    expect.stringContaining("missing required argument 'file'"),
  ]);
});
