import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import argon2 from "argon2";
import pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { keepHandWritten } from "./hand-written.js";
import { insertProducts } from "./products.js";
import { shop } from "./servers.js";

/** A shop's database filled for measuring. */
export interface Seeded {
  readonly name: string;
  readonly url: string;
  readonly products: number;
  /** A bearer token of an administrator. */
  readonly token: string;
  /** Some thousands of products' ids, drawn from the whole table. */
  readonly ids: readonly string[];
  readonly categoryId: string;
  /** All fifty, each with as many products. */
  readonly categoryIds: readonly string[];
  readonly customerId: string;
  readonly accounts: Accounts;
}

/** Accounts that sign in with one password. */
export interface Accounts {
  readonly addresses: readonly string[];
  readonly password: string;
  readonly hash: string;
}

/** Makes a database of that many products on the server that `adminUrl` names. */
export async function seed(adminUrl: string, products: number): Promise<Seeded> {
  const began = performance.now();
  const name = `bench_${products}`;
  const url = await createDatabase(adminUrl, name);
  await migrate({ url, directory: join(shop, "migrations") });
  const filled = await withConnection(url, (db) => fill(db, products));
  await tidy(url);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stderr.write(`Filled ${name} in ${seconds} s\n`);
  return { ...filled, name, url, products };
}

/** A copy with the same rows and the schema as it is written by hand. Nobody may be using the original. */
export async function handWrittenCopy(
  adminUrl: string,
  { name }: Seeded,
  suffix: string,
): Promise<string> {
  const url = await createDatabase(adminUrl, `${name}_${suffix} template ${name}`);
  await withConnection(url, keepHandWritten);
  await tidy(url);
  return url;
}

/** Gives a hand-written copy the index that makes its searches fast. */
export async function indexForSearches(url: string): Promise<void> {
  await withConnection(url, (db) => db.query(searchIndex));
  await tidy(url);
}

const searchIndex = `
  set maintenance_work_mem = '512MB';
  create index on products using gin (name gin_trgm_ops)`;

/** Brings statistics, visibility and the disk up to date, which would else happen in somebody's round. */
export function tidy(url: string): Promise<void> {
  return withConnection(url, async (db) => {
    await db.query("vacuum analyze");
    await db.query("checkpoint");
  });
}

/** A connection without the runtime's limits: a million rows take their time. */
export async function withConnection<T>(
  url: string,
  work: (db: pg.Client) => Promise<T>,
): Promise<T> {
  const db = new pg.Client(url);
  // Where the database goes away, the statement under way reports it.
  db.on("error", () => {});
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/** Makes a database by what follows `create database`; its name is the first word. */
export async function createDatabase(adminUrl: string, definition: string): Promise<string> {
  await withConnection(adminUrl, (db) => db.query(`create database ${definition}`));
  const url = new URL(adminUrl);
  url.pathname = `/${definition.split(" ")[0]}`;
  return url.href;
}

async function fill(db: pg.Client, products: number) {
  const accounts = await insertAccounts(db);
  await insertToken(db);
  await insertProducts(db, products);
  const drawn = await db.query<{ id: string }>(
    "select id from products order by random() limit 4096",
  );
  const categories = await db.query<{ id: string }>("select id from categories order by id");
  const ids = drawn.rows.map(({ id }) => id);
  const categoryIds = categories.rows.map(({ id }) => id);
  const customer = await db.query<{ id: string }>(
    `insert into customers (id, name, email)
     values (uuidv7(), 'Bench', 'bench@example.com')
     returning id`,
  );
  const categoryId = categoryIds[0] ?? "";
  return { accounts, token, ids, categoryId, categoryIds, customerId: customer.rows[0]?.id ?? "" };
}

/** So many that a flood of sign-ins stays below the limit of attempts an address. */
async function insertAccounts(db: pg.Client): Promise<Accounts> {
  const password = "a password for measuring";
  // The cost that the server asks of a stored hash; with a lower one it would make a new one.
  const hash = await argon2.hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const addresses = Array.from({ length: 4096 }, (_, at) => `account-${at}@example.com`);
  await db.query(
    `insert into service.users (id, name, email, role, password_hash, email_verified_at)
     select uuidv7(), 'Bench', address, 'editor', $2, now()
     from unnest($1::text[]) as address`,
    [addresses, hash],
  );
  return { addresses, password, hash };
}

/** Valid in each database, so that one request can be sent to several. */
export const token = randomBytes(32).toString("base64url");

/** Signs in an administrator with it. */
export async function insertToken(db: pg.Client): Promise<void> {
  await db.query(
    `with account as (
       insert into service.users (id, name, email, role, email_verified_at)
       values (uuidv7(), 'Bench', 'bench@example.com', 'admin', now())
       returning id
     )
     insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
     select uuidv7(), id, $1, '{password}', now(), now() + interval '1 day' from account`,
    [createHash("sha256").update(token).digest()],
  );
}
