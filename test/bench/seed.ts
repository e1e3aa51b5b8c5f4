import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { type Database, migrate } from "../../runtime/db/index.js";
import { shop } from "./servers.js";

/** A shop's database filled for measuring. */
export interface Seeded {
  readonly url: string;
  readonly products: number;
  /** A bearer token of an administrator. */
  readonly token: string;
  /** Of a product in the middle of the table. */
  readonly id: string;
  readonly categoryId: string;
}

/** A word that stands in one product's name in a hundred thousand. */
export const rareWord = "zebrawood";

/** Makes a database of that many products on the server that `admin` leads to. */
export async function seed(admin: Database, adminUrl: string, products: number): Promise<Seeded> {
  const name = `bench_${products}`;
  await admin.query(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await migrate({ url: url.href, directory: join(shop, "migrations") });
  // A connection of its own, without the runtime's limits: a million rows take their time.
  const db = new pg.Client(url.href);
  await db.connect();
  try {
    const token = await insertToken(db);
    const categoryId = await insertProducts(db, products);
    const { rows } = await db.query<{ id: string }>(
      "select id from products order by created_at offset $1 limit 1",
      [Math.floor(products / 2)],
    );
    return { url: url.href, products, token, id: rows[0]?.id ?? "", categoryId };
  } finally {
    await db.end();
  }
}

async function insertToken(db: pg.Client): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.query(
    `with account as (
       insert into service.users (id, name, email, role, email_verified_at)
       values (gen_random_uuid(), 'Bench', 'bench@example.com', 'admin', now())
       returning id
     )
     insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
     select gen_random_uuid(), id, $1, '{password}', now(), now() + interval '1 day' from account`,
    [createHash("sha256").update(token).digest()],
  );
  return token;
}

async function insertProducts(db: pg.Client, products: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    "insert into categories (id, name) values (gen_random_uuid(), 'All') returning id",
  );
  const categoryId = rows[0]?.id ?? "";
  await db.query(
    `insert into products (id, name, description, price, category_id, status, created_at)
     select
       gen_random_uuid(),
       case when n % 100000 = 777 then $3 || ' ' else 'Product ' end || n,
       'A description of product ' || n,
       n % 900 + 0.5,
       $2,
       (array['draft', 'live', 'gone'])[n % 3 + 1],
       now() - n * interval '1 minute'
     from generate_series(1, $1) as n`,
    [products, categoryId, rareWord],
  );
  await db.query("vacuum analyze products");
  return categoryId;
}
