import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import express, { type NextFunction, type Request, type Response } from "express";
import pg from "pg";

/**
 * Reference E: what a careful engineer writes by hand for the same contract. Express 5 and `pg.Pool`,
 * two prepared statements a request (the token's look-up, then the data), `count(*)` for totals, plain
 * rows turned into records in JavaScript. Made fast where that costs no clarity: statements are named,
 * so that PostgreSQL plans them once; Express's ETag and X-Powered-By are off; no middleware that a
 * request does not need.
 */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url, max: 10 });
const app = express();
app.disable("x-powered-by");
app.set("etag", false);

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

async function requireToken(request: Request, response: Response, next: NextFunction) {
  const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  const { rows } = await pool.query({
    name: "token",
    text: `select s.id, s.user_id, u.role from service.sessions s
      join service.users u on u.id = s.user_id
      where s.token_hash = $1 and s.expires_at > now() and u.disabled_at is null`,
    values: [createHash("sha256").update(token).digest()],
  });
  if (rows.length === 0) response.status(401).json({ error: "Sign in first" });
  else next();
}

app.get("/api/products", requireToken, async (request, response) => {
  const page = Number(request.query.page ?? 1);
  const perPage = Number(request.query.perPage ?? 25);
  const [counted, listed] = await Promise.all([
    pool.query<{ count: string }>({ name: "count", text: "select count(*) from products" }),
    pool.query<ProductRow>({
      name: "list",
      text: "select * from products order by created_at desc, id desc limit $1 offset $2",
      values: [perPage, (page - 1) * perPage],
    }),
  ]);
  const total = Number(counted.rows[0]?.count ?? 0);
  response.json({
    data: listed.rows.map(record),
    meta: { page, perPage, total, totalPages: Math.ceil(total / perPage) },
  });
});

app.get("/api/products/:id", requireToken, async (request, response) => {
  const { rows } = await pool.query<ProductRow>({
    name: "get",
    text: "select * from products where id = $1",
    values: [request.params.id],
  });
  const [row] = rows;
  if (row === undefined) response.status(404).json({ error: "Not found" });
  else response.json(record(row));
});

app.listen(Number(options.port), "127.0.0.1");
