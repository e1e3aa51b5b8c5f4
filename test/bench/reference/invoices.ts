import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import express from "express";
import pg from "pg";
import "./record.js";

/**
 * Reference E of a list with two steps of related records: the page, and beside it one join of its lines and their
 * tracks. Run as `express.ts` is.
 */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url ?? "", max: 10 });
const app = express();
app.disable("x-powered-by");
app.set("etag", false);

interface Times {
  readonly created_at: Date;
  readonly updated_at: Date;
}

interface Invoice extends Times {
  readonly id: string;
  readonly customer_id: string;
  readonly total: number;
}

interface Line extends Times {
  readonly id: string;
  readonly invoice_id: string;
  readonly track_id: string;
  readonly quantity: number;
  readonly price: number;
  readonly t_name: string;
  readonly t_composer: string | null;
  readonly t_milliseconds: number;
  readonly t_created_at: Date;
  readonly t_updated_at: Date;
}

async function isSignedIn(authorization: string | undefined): Promise<boolean> {
  const token = authorization?.replace(/^Bearer /, "") ?? "";
  const { rowCount } = await pool.query({
    name: "token",
    text: `select s.id, s.user_id, u.role from service.sessions s
       join service.users u on u.id = s.user_id
       where s.token_hash = $1 and s.expires_at > now() and u.disabled_at is null`,
    values: [createHash("sha256").update(token).digest()],
  });
  return rowCount === 1;
}

const page = "select * from invoices order by created_at desc, id desc limit 25";

app.get("/api/invoices", async (request, response) => {
  if (!(await isSignedIn(request.headers.authorization))) {
    return response.status(401).json({ error: "Sign in first" });
  }
  const [counted, invoices, lines] = await Promise.all([
    pool.query<{ count: number }>({ name: "count", text: "select count(*) from invoices" }),
    pool.query<Invoice>({ name: "page", text: page }),
    pool.query<Line>({
      name: "lines",
      text: `select l.*, t.name as t_name, t.composer as t_composer, t.milliseconds as t_milliseconds,
           t.created_at as t_created_at, t.updated_at as t_updated_at
         from (${page}) as i
         cross join lateral (
           select * from invoice_lines where invoice_id = i.id order by created_at, id limit 11
         ) as l
         join tracks t on t.id = l.track_id
         order by l.created_at, l.id`,
    }),
  ]);
  const byInvoice = new Map<string, object[]>();
  for (const row of lines.rows) {
    const own = byInvoice.get(row.invoice_id);
    if (own === undefined) byInvoice.set(row.invoice_id, [line(row)]);
    else own.push(line(row));
  }
  const data = invoices.rows.map((row) => {
    const own = byInvoice.get(row.id) ?? [];
    return { ...invoice(row), lines: { data: own.slice(0, 10), more: own.length > 10 } };
  });
  const total = counted.rows[0]?.count ?? 0;
  const meta = { page: 1, perPage: 25, total, totalPages: Math.ceil(total / 25) };
  return response.json({ data, meta });
});

function invoice(row: Invoice) {
  const { id, customer_id: customerId, total } = row;
  return { id, customerId, total, ...times(row.created_at, row.updated_at) };
}

function line(row: Line) {
  return {
    id: row.id,
    invoiceId: row.invoice_id,
    trackId: row.track_id,
    quantity: row.quantity,
    price: row.price,
    ...times(row.created_at, row.updated_at),
    track: {
      id: row.track_id,
      name: row.t_name,
      composer: row.t_composer,
      milliseconds: row.t_milliseconds,
      ...times(row.t_created_at, row.t_updated_at),
    },
  };
}

function times(created: Date, updated: Date) {
  return { createdAt: created.toISOString(), updatedAt: updated.toISOString() };
}

app.listen(Number(options.port), "127.0.0.1");
