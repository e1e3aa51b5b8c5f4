import { parseArgs } from "node:util";
import express from "express";
import pg from "pg";

/**
 * Reference E of a list that is public by a condition: `where status = 'live'` in the order of the list, and `count(*)`,
 * side by side, without a token. Run as `express.ts` is.
 */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url ?? "", max: 10 });
const app = express();
app.disable("x-powered-by");
app.set("etag", false);

interface Post {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

app.get("/api/posts", async (_request, response) => {
  const [counted, found] = await Promise.all([
    pool.query<{ count: number }>({
      name: "count",
      text: "select count(*) from posts where status = 'live'",
    }),
    pool.query<Post>({
      name: "list",
      text: "select * from posts where status = 'live' order by created_at desc, id desc limit 25",
    }),
  ]);
  const total = Number(counted.rows[0]?.count ?? 0);
  const meta = { page: 1, perPage: 25, total, totalPages: Math.ceil(total / 25) };
  response.json({ data: found.rows.map(record), meta });
});

function record({ id, title, status, created_at, updated_at }: Post) {
  const times = { createdAt: created_at.toISOString(), updatedAt: updated_at.toISOString() };
  return { id, title, status, ...times };
}

app.listen(Number(options.port), "127.0.0.1");
