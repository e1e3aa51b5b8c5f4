import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import express from "express";
import pg from "pg";
import "./record.js";

/**
 * Reference E of lists of own records: `where account_id = $1` by the index of the link, and `count(*)`, side by side.
 * Run as `express.ts` is, on the notes app's notebooks.
 */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url ?? "", max: 10 });
const app = express();
app.disable("x-powered-by");
app.set("etag", false);

interface Notebook {
  readonly id: string;
  readonly account_id: string;
  readonly title: string;
  readonly code: string | null;
  readonly colour: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

async function callerOf(authorization: string | undefined): Promise<string | undefined> {
  const token = authorization?.replace(/^Bearer /, "") ?? "";
  const { rows } = await pool.query<{ user_id: string }>({
    name: "token",
    text: `select s.id, s.user_id, u.role from service.sessions s
       join service.users u on u.id = s.user_id
       where s.token_hash = $1 and s.expires_at > now() and u.disabled_at is null`,
    values: [createHash("sha256").update(token).digest()],
  });
  return rows[0]?.user_id;
}

app.get("/api/notebooks", async (request, response) => {
  const caller = await callerOf(request.headers.authorization);
  if (caller === undefined) return response.status(401).json({ error: "Sign in first" });
  const [counted, found] = await Promise.all([
    pool.query<{ count: number }>({
      name: "count",
      text: "select count(*) from notebooks where account_id = $1",
      values: [caller],
    }),
    pool.query<Notebook>({
      name: "list",
      text: "select * from notebooks where account_id = $1 order by created_at desc, id desc limit 25",
      values: [caller],
    }),
  ]);
  const total = counted.rows[0]?.count ?? 0;
  const meta = { page: 1, perPage: 25, total, totalPages: Math.ceil(total / 25) };
  return response.json({ data: found.rows.map(record), meta });
});

function record(row: Notebook) {
  return {
    id: row.id,
    accountId: row.account_id,
    title: row.title,
    code: row.code,
    colour: row.colour,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

app.listen(Number(options.port), "127.0.0.1");
