import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { z } from "zod";

/**
 * What the two references share: the products of the shop by the same contract as a careful engineer
 * writes it by hand. Two prepared statements a request (the token's look-up, then the data), run on a
 * pool of ten connections; `count(*)` for totals; plain rows turned into records in JavaScript; zod on
 * writes. Every statement is named, so that PostgreSQL plans it once, and what can run side by side
 * does.
 */
export interface Products {
  isSignedIn(authorization: string | undefined): Promise<boolean>;
  list(query: URLSearchParams): Promise<object>;
  stats(query: URLSearchParams): Promise<object>;
  get(id: string): Promise<object | null>;
  create(body: unknown): Promise<object>;
  update(id: string, body: unknown): Promise<object | null>;
}

export function products(url: string): Products {
  const pool = new pg.Pool({ connectionString: url, max: 10 });

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
    const page = Number(query.get("page") ?? 1);
    const perPage = Number(query.get("perPage") ?? 25);
    const { shape, where, values } = condition(query);
    const [counted, found] = await Promise.all([
      rows<{ count: string }>(`count ${shape}`, `select count(*) from products ${where}`, values),
      rows<ProductRow>(
        `list ${shape}`,
        `select * from products ${where} order by created_at desc, id desc
         limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, perPage, (page - 1) * perPage],
      ),
    ]);
    const total = Number(counted[0]?.count ?? 0);
    const meta = { page, perPage, total, totalPages: Math.ceil(total / perPage) };
    return { data: found.map(record), meta };
  }

  async function stats(query: URLSearchParams): Promise<object> {
    const days = Number(query.get("days") ?? 7);
    const [[counted], values] = await Promise.all([
      rows<Record<"total" | "current" | "previous", string>>(
        "stats",
        `select count(*) as total,
           count(*) filter (where created_at > now() - make_interval(hours => 24 * $1)) as current,
           count(*) filter (
             where created_at <= now() - make_interval(hours => 24 * $1)
               and created_at > now() - make_interval(hours => 48 * $1)
           ) as previous
         from products`,
        [days],
      ),
      rows<{ status: string; count: string }>(
        "stats by status",
        "select status, count(*) from products group by status",
        [],
      ),
    ]);
    const counts = Object.fromEntries(values.map(({ status, count }) => [status, Number(count)]));
    return {
      total: Number(counted?.total),
      current: Number(counted?.current),
      previous: Number(counted?.previous),
      values: { draft: 0, live: 0, gone: 0, ...counts },
    };
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
        randomUUID(),
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
    const { price } = changedProduct.parse(body);
    const [row] = await rows<ProductRow>(
      "update",
      "update products set price = $2, updated_at = now() where id = $1 returning *",
      [id, price],
    );
    return row === undefined ? null : record(row);
  }

  return { isSignedIn, list, stats, get, create, update };
}

/** The filters that the benchmark uses. */
function condition(query: URLSearchParams) {
  const status = query.get("filter[status]");
  if (status !== null) return { shape: "by status", where: "where status = $1", values: [status] };
  const q = query.get("q");
  if (q !== null) return { shape: "by q", where: "where name ilike $1", values: [`%${q}%`] };
  return { shape: "all", where: "", values: [] };
}

const newProduct = z.strictObject({
  name: z.string().min(1).max(120),
  description: z.string().max(100_000).nullable().default(null),
  price: z.number().min(0),
  stock: z.number().int().nullable().default(0),
  active: z.boolean().default(true),
  status: z.enum(["draft", "live", "gone"]).default("draft"),
  categoryId: z.uuid(),
});
const changedProduct = z.strictObject({ price: z.number().min(0) });

interface ProductRow {
  id: string;
  name: string;
  description: string | null;
  price: string;
  stock: string | null;
  active: boolean;
  status: string;
  released_on: Date | null;
  sold_out_at: Date | null;
  category_id: string;
  image: string | null;
  manual: string | null;
  created_at: Date;
  updated_at: Date;
}

function record(row: ProductRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: Number(row.price),
    stock: row.stock === null ? null : Number(row.stock),
    active: row.active,
    status: row.status,
    releasedOn: row.released_on?.toISOString().slice(0, 10) ?? null,
    soldOutAt: row.sold_out_at?.toISOString() ?? null,
    categoryId: row.category_id,
    image: row.image,
    imageFile: null,
    manual: row.manual,
    manualFile: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
