import { createHash, pbkdf2Sync, randomBytes, randomUUID, scryptSync } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import argon2 from "argon2";
import bcrypt from "bcrypt";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { client } from "../support/http/client.js";
import { type Outcome, plain, program, service } from "./service.js";

const shop = resolve(import.meta.dirname, "../../fixtures/apps/shop");

let app: RunningApp;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  app = await startApp("apps/shop");
  folder = makeAppFolder();
  env = { DATABASE_URL: app.databaseUrl, SHOP_STORAGE: app.storage };
});
afterAll(async () => {
  await app.close();
  removeAppFolder(folder);
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const imported = (...args: string[]): Promise<Outcome> =>
  service(shop, ["import", "users", ...args], { env });

async function signIn(email: string, password: string): Promise<number> {
  return (await client(app.url, null).post("/auth/token", { email, password })).status;
}

async function hashOf(email: string): Promise<string> {
  const [row] = await app.db.query<{ hash: string }>(
    "select password_hash as hash from service.users where email = $1",
    [email],
  );
  return row?.hash ?? "";
}

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
const salt = Buffer.from("a salt of sixteen");
const scryptHash = (password: string, ln: number, r: number, p: number) =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(scryptSync(password, salt, 32, { N: 2 ** ln, r, p, maxmem: 2 ** 28 }))}`;
const pbkdf2Hash = (password: string, bits: 256 | 512, rounds: number, length = 32) =>
  `$pbkdf2-sha${bits}$i=${rounds}$${base64(salt)}$${base64(pbkdf2Sync(password, salt, rounds, length, `sha${bits}`))}`;

const djangoHash = (password: string, rounds: number) =>
  `pbkdf2_sha256$${rounds}$saltOfDjango$${pbkdf2Sync(password, "saltOfDjango", rounds, 32, "sha256").toString("base64")}`;

/** A password in another form than ours is compared in, with more than 72 bytes. */
const composed = `ﬁne ${"ö".repeat(40)}`;

describe("a hash of each kind is accepted, verifies once, and is replaced by an argon2id hash", () => {
  const cases: readonly (readonly [string, (password: string) => string | Promise<string>])[] = [
    ["argon2i", (one) => argon2.hash(one, { type: argon2.argon2i, memoryCost: 1024, timeCost: 3 })],
    ["argon2id", (one) => argon2.hash(one, { memoryCost: 1024, timeCost: 2 })],
    ["bcrypt", (one) => bcrypt.hash(one, 4)],
    ["bcrypt-2y", async (one) => (await bcrypt.hash(one, 5)).replace("$2b$", "$2y$")],
    ["bcrypt-2a", async (one) => (await bcrypt.hash(one, 5)).replace("$2b$", "$2a$")],
    ["scrypt", (one) => scryptHash(one, 10, 8, 2)],
    ["pbkdf2-sha256", (one) => pbkdf2Hash(one, 256, 1_000)],
    ["pbkdf2-sha512", (one) => pbkdf2Hash(one, 512, 1_000, 64)],
    ["pbkdf2_sha256", (one) => djangoHash(one, 1_000)],
  ];
  const passwords = ["a lantern in the orchard", composed];
  const addressOf = (kind: string, at: number) => `${kind}-${at}@example.com`;

  beforeAll(async () => {
    const lines: string[] = [];
    for (const [kind, hash] of cases) {
      for (const [at, password] of passwords.entries()) {
        const record = { email: addressOf(kind, at), passwordHash: await hash(password) };
        lines.push(JSON.stringify({ ...record, emailVerified: true }));
      }
    }
    const { exitCode, stdout, stderr } = await imported(
      file("kinds.ndjson", `${lines.join("\n")}\n`),
      "--json",
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({
      ...{ resource: "users", from: 1, rows: 18, created: 18, updated: 0, refused: 0 },
      ...{ errors: [], more: 0, errorsFile: null, withoutPassword: 0 },
      hashes: {
        argon2i: 2,
        argon2id: 2,
        bcrypt: 6,
        scrypt: 2,
        "pbkdf2-sha256": 2,
        "pbkdf2-sha512": 2,
        pbkdf2_sha256: 2,
      },
    });
  });

  test.each(cases.map(([kind]) => kind))("%s", async (kind) => {
    for (const [at, password] of passwords.entries()) {
      const email = addressOf(kind, at);
      const before = await hashOf(email);
      expect(await signIn(email, `${password.slice(0, 8)}!`)).toBe(401);
      expect(await hashOf(email)).toBe(before);
      expect(await signIn(email, password)).toBe(201);
      const after = await hashOf(email);
      expect(after).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await signIn(email, password)).toBe(201);
      expect(await signIn(email, `${password.slice(0, 8)}!`)).toBe(401);
      expect(await hashOf(email)).toBe(after);
    }
  });
});

test("an argon2id hash that is strong enough stays, and so does one that was changed meanwhile", async () => {
  const password = "a lantern in the orchard";
  const strong = await argon2.hash(password, { memoryCost: 20_000, timeCost: 2, parallelism: 1 });
  await imported(file("strong.csv", `email,passwordHash\nstrong@example.com,"${strong}"\n`));
  expect(await signIn("strong@example.com", password)).toBe(201);
  expect(await hashOf("strong@example.com")).toBe(strong);
  // The right password, whose hash another request has replaced before this one could.
  const weak = await bcrypt.hash(password, 10);
  await imported(file("weak.csv", `email,passwordHash\nweak@example.com,"${weak}"\n`));
  const both = await Promise.all([1, 2].map(() => signIn("weak@example.com", password)));
  expect(both).toEqual([201, 201]);
  expect(await argon2.verify(await hashOf("weak@example.com"), password)).toBe(true);
});

test("rows are checked as in user create; no hash is printed, and the refused rows are readable by the owner alone", async () => {
  const secret = (hash: string) => createHash("sha256").update(hash).digest("base64").slice(0, 43);
  const s = secret("one");
  const bad = [
    `$2b$17$${"a".repeat(53)}`,
    `$2x$10$${"a".repeat(53)}`,
    `$argon2id$v=16$m=4096,t=2,p=1$${s.slice(0, 22)}$${s}`,
    `$argon2id$v=19$m=262145,t=2,p=1$${s.slice(0, 22)}$${s}`,
    `$argon2i$v=19$m=4096,t=17,p=1$${s.slice(0, 22)}$${s}`,
    `$argon2d$v=19$m=4096,t=2,p=1$${s.slice(0, 22)}$${s}`,
    `$argon2id$v=19$m=4096,t=2,p=9$${s.slice(0, 22)}$${s}`,
    `$scrypt$ln=18,r=8,p=1$${s.slice(0, 22)}$${s}`,
    `$pbkdf2-sha256$i=2000001$${s.slice(0, 22)}$${s}`,
    `$pbkdf2-sha256$i=1000,l=31$${s.slice(0, 22)}$${s}`,
    `$pbkdf2-sha1$i=1000$${s.slice(0, 22)}$${s}`,
    `$pbkdf2-sha256$1000$${s.slice(0, 22)}$${s}`,
    `pbkdf2_sha256$2000001$${s.slice(0, 22)}$${s}=`,
    `pbkdf2_sha1$1000$${s.slice(0, 22)}$${s}=`,
    `bcrypt_sha256$$2b$10$${"a".repeat(53)}`,
    s,
  ];
  const id = randomUUID();
  const rows = [
    `Ann@Example.com ,,admin,TRUE,,,${id},2020-01-02T03:04:05Z`,
    `ann@example.com,Other,,,,,,`,
    `bob@example.com,Bob,,,true,,${id.toUpperCase()},`,
    `nobody,,owner.lead,yes,,,7,yesterday`,
    ...bad.map((hash, at) => `bad-${at}@example.com,,,,,"${hash}",,`),
  ];
  const header = "email,name,role,emailVerified,disabled,passwordHash,id,createdAt";
  const path = file("judged.csv", `${header}\n${rows.join("\n")}\n`);
  const kinds =
    "Must be a hash of one of these kinds, within its limits: $argon2id$, $argon2i$, $2a$, $2b$, $2y$, $scrypt$, $pbkdf2-sha256$, $pbkdf2-sha512$ and Django's pbkdf2_sha256$";
  const stopped = await imported(path, "--json");
  expect(stopped).toMatchObject({ exitCode: 1 });
  const { errors, ...counts } = JSON.parse(stopped.stdout);
  expect(counts).toMatchObject({ created: 0, refused: 19, withoutPassword: 0, hashes: {} });
  expect(errors).toEqual([
    { row: 2, line: 3, column: "email", message: "Already has an account" },
    { row: 3, line: 4, column: "id", message: "Another account has this id" },
    ...[
      ["email", "Must be an email address"],
      ["role", 'Must not begin with "owner."'],
      ["emailVerified", "Must be true or false"],
      ["id", "Must be an id (UUID)"],
      ["createdAt", "Must be a time: YYYY-MM-DDThh:mm:ssZ"],
    ].map(([column, message]) => ({ row: 4, line: 5, column, message })),
    ...bad.map((_, at) => ({ row: at + 5, line: at + 6, column: "passwordHash", message: kinds })),
  ]);
  const skipped = await imported(path, "--on-error", "skip");
  expect(skipped).toMatchObject({ exitCode: 1, stdout: "" });
  for (const { stdout, stderr } of [stopped, skipped]) {
    expect(stdout + stderr).not.toContain(s.slice(0, 22));
  }
  const errorsFile = `${path}.errors.csv`;
  expect(statSync(errorsFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(errorsFile, "utf8")).toContain(s);
  const [ann] = await app.db.query(
    `select u.id, name, email, role, email_verified_at is not null as verified, disabled_at,
      u.created_at, password_hash, e.kind, e.by_id
    from service.users u join service.account_events e on e.account_id = u.id
    where email = 'ann@example.com'`,
  );
  expect(ann).toEqual({
    ...{
      id,
      name: "ann",
      email: "ann@example.com",
      role: "admin",
      verified: true,
      disabled_at: null,
    },
    ...{ created_at: new Date("2020-01-02T03:04:05Z"), password_hash: null },
    ...{ kind: "account-created", by_id: null },
  });
});

test("without a header nothing of the file is printed, and a column's name shows no hash", async () => {
  const hash = `$2b$10$${"Q7zRk3".repeat(9).slice(0, 53)}`;
  const noHeader = file("no-header.csv", `ann@example.com,Ann,${hash}\nbob@example.com,Bob,x\n`);
  const outputs: string[] = [];
  const errorsOf = async (path: string) => {
    const { exitCode, stdout, stderr } = await imported(path, "--json");
    outputs.push(stdout, stderr);
    expect(exitCode).toBe(1);
    return JSON.parse(stdout).errors as { column: string | null; message: string }[];
  };
  const inHeader = { row: 0, line: 1 };
  const first = "The first row contains values, but must contain the column names";
  expect(await errorsOf(noHeader)).toEqual([
    { ...inHeader, column: null, message: first },
    { ...inHeader, column: "column 1", message: "This is not a field" },
    { ...inHeader, column: "column 2", message: "This is not a field" },
    { ...inHeader, column: "column 3", message: "This is not a field" },
    { ...inHeader, column: null, message: "No column for email, which is required" },
  ]);
  const { stdout, stderr } = await imported(noHeader);
  expect(stderr).toContain("row 0, line 1, column 3: This is not a field");
  const named = file("named.csv", `email,${hash},colour\nann@example.com,x,y\n`);
  const key = file("key.ndjson", JSON.stringify({ email: "a@example.com", [hash]: 1 }));
  for (const [path, columns] of [
    [named, ["column 2", "colour"]],
    [key, ["column 2"]],
  ] as const) {
    expect((await errorsOf(path)).map(({ column }) => column)).toEqual(columns);
  }
  const printed = [...outputs, stdout, stderr].join("\n");
  expect(printed).not.toContain(hash.slice(-12));
  expect(printed).not.toContain("ann@example.com");
});

test("a usage error exits with 2, an unknown or missing column and export of accounts with 1", async () => {
  const path = file("usage.csv", "mail,extra\na@example.com,1\n");
  expect(await imported(path, "--link", "id=email")).toMatchObject({ exitCode: 2 });
  expect(await imported(path, "--upsert", "email")).toMatchObject({ exitCode: 2 });
  expect(await imported(path, "--map", "mail=emial", "--json")).toMatchObject({
    exitCode: 1,
    stdout: "",
  });
  const { exitCode, stdout } = await imported(path, "--json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).errors).toEqual([
    { row: 0, line: 1, column: "mail", message: 'This is not a field: did you mean "email"?' },
    { row: 0, line: 1, column: "extra", message: "This is not a field" },
    { row: 0, line: 1, column: null, message: "No column for email, which is required" },
  ]);
  expect(await service(shop, ["export", "users"], { env })).toMatchObject({ exitCode: 1 });
});

describe("the page's way for", () => {
  const password = "a lantern in the orchard";
  const hex = randomBytes(16).toString("hex");
  const key = scryptSync(password, hex, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 28 });
  const django = pbkdf2Sync(password, "seasalt", 1_000, 32, "sha256").toString("base64");

  /** Tables as the other back end has them, with one account. */
  const tables: Readonly<Record<string, () => Promise<string>>> = {
    Supabase:
      async () => `create schema auth; create table auth.users (id uuid, email text, raw_user_meta_data jsonb,
        email_confirmed_at timestamptz, banned_until timestamptz, encrypted_password text,
        created_at timestamptz, deleted_at timestamptz);
      insert into auth.users values (gen_random_uuid(), 'supabase@example.com', '{"full_name":"Ann, of Supabase"}',
        now(), null, '${await bcrypt.hash(password, 4)}', now(), null), (gen_random_uuid(), null, null, null, null, '', now(), null)`,
    "better-auth":
      async () => `create table "user" (id text, email text, name text, "emailVerified" boolean, "createdAt" timestamp);
      create table account ("userId" text, "providerId" text, password text);
      insert into "user" values ('x', 'better-auth@example.com', 'Ann', true, now()), ('y', 'other@example.com', 'Ann', true, now());
      insert into account values ('x', 'credential', '${hex}:${key.toString("hex")}'), ('y', 'google', null)`,
    Django:
      async () => `create table auth_user (email text, first_name text, last_name text, is_active boolean, password text, date_joined timestamptz);
      insert into auth_user values ('django@example.com', 'Ann', '', true, 'pbkdf2_sha256$1000$seasalt$${django}', now()),
        ('django-argon2@example.com', '', '', true, 'argon2${await argon2.hash(password, { memoryCost: 1024 })}', now()),
        ('django-none@example.com', '', '', true, '!abc', now())`,
    "Rails (Devise)":
      async () => `create table users (email text, confirmed_at timestamptz, encrypted_password text, created_at timestamp);
      insert into users values ('rails@example.com', now(), '${(await bcrypt.hash(password, 4)).replace("$2b$", "$2a$")}', now())`,
  };
  const addresses: Readonly<Record<string, readonly string[]>> = {
    Supabase: ["supabase@example.com"],
    Auth0: ["auth0@example.com"],
    "better-auth": ["better-auth@example.com"],
    Django: ["django@example.com", "django-argon2@example.com"],
    "Rails (Devise)": ["rails@example.com"],
  };

  async function run(commands: string): Promise<void> {
    const npx = `npx() { shift; "${process.execPath}" "${program}" -C "${shop}" "$@"; }`;
    await execa("bash", ["-c", `${npx}\n${commands}`], { cwd: folder, env: { ...plain, ...env } });
  }

  test.for(Object.keys(addresses))("%s imports accounts that can sign in", async (name) => {
    if (name === "Auth0") {
      const account = {
        ...{ _id: { $oid: "5f8d" }, email_verified: true, email: "auth0@example.com" },
        ...{ passwordHash: await bcrypt.hash(password, 4), password_set_date: { $date: "2020" } },
        ...{ tenant: "t", connection: "c", _tmp_is_unique: true },
      };
      file("accounts.ndjson", `${JSON.stringify(account)}\n`);
    } else {
      const make = (await tables[name]?.()) ?? "";
      await app.db.transaction(async ({ query }) => {
        await query("create schema other");
        await query("set local search_path to other");
        for (const statement of make.split(";")) await query(statement);
        const rows = await query<Record<string, string | null>>(
          block("docs/moving-accounts", name),
        );
        const cells = (values: readonly (string | null)[]) =>
          values.map((value) => `"${(value ?? "").replaceAll('"', '""')}"`).join(",");
        const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
        file("accounts.csv", `${lines.map(cells).join("\n")}\n`);
        await query("drop schema if exists auth cascade");
        await query("drop schema other cascade");
      });
    }
    await run(block("docs/moving-accounts", name, name === "Auth0" ? 1 : 2));
    for (const email of addresses[name] ?? []) expect(await signIn(email, password)).toBe(201);
  });

  test("any file: the first commands of the page", async () => {
    file("accounts.csv", "email,name\nfirst@example.com,First\n");
    await run(block("docs/moving-accounts", "Migrating accounts"));
    const rows = await app.db.query(
      "select name from service.users where email = 'first@example.com'",
    );
    expect(rows).toEqual([{ name: "First" }]);
  });
});
