import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import express from "express";
import pg from "pg";
import "./record.js";

/** Reference E of searches: a page by rank from a column of words, and `count(*)`, side by side. Run as `express.ts` is. */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url ?? "", max: 10 });
const app = express();
app.disable("x-powered-by");
app.set("etag", false);

interface Article {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly created_at: Date;
  readonly updated_at: Date;
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

app.get("/api/articles", async (request, response) => {
  if (!(await isSignedIn(request.headers.authorization))) {
    return response.status(401).json({ error: "Sign in first" });
  }
  const word = String(request.query.search).trim();
  const perPage = Number(request.query.perPage);
  const [counted, found] = await Promise.all([
    pool.query<{ count: number }>({
      name: "count",
      text: "select count(*)::int from written where vector @@ to_tsquery('english', $1)",
      values: [word],
    }),
    pool.query<Article>({
      name: "page",
      text: `select id, title, body, created_at, updated_at
         from written, to_tsquery('english', $1) as query
         where vector @@ query
         order by ts_rank(vector, query) desc, id desc
         limit $2`,
      values: [word, perPage],
    }),
  ]);
  const total = counted.rows[0]?.count ?? 0;
  const meta = { page: 1, perPage, total, totalPages: Math.ceil(total / perPage) };
  return response.json({ data: found.rows.map(record), meta });
});

function record({ id, title, body, created_at, updated_at }: Article) {
  return {
    ...{ id, title, body },
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

app.listen(Number(options.port), "127.0.0.1");
