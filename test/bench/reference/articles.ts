import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import express from "express";
import pg from "pg";
import "./record.js";

/** Reference E of a list with the records that each lists: the page, and beside it one join. Run as `express.ts` is. */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url ?? "", max: 10 });
const app = express();
app.disable("x-powered-by");
app.set("etag", false);

interface Row {
  readonly id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

interface Article extends Row {
  readonly title: string;
  readonly words: readonly string[];
}

interface Tag extends Row {
  readonly name: string;
  readonly article_id: string;
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

const page =
  "select id, title, words, created_at, updated_at from articles order by created_at desc, id desc limit 25";

app.get("/api/articles", async (request, response) => {
  if (!(await isSignedIn(request.headers.authorization))) {
    return response.status(401).json({ error: "Sign in first" });
  }
  const [counted, articles, tags] = await Promise.all([
    pool.query<{ count: number }>({ name: "count", text: "select count(*) from articles" }),
    pool.query<Article>({ name: "page", text: page }),
    pool.query<Tag>({
      name: "tags",
      text: `select t.*, e.record_id as article_id
         from (${page}) as a
         join articles_tag_ids e on e.record_id = a.id
         join tags t on t.id = e.target_id
         order by e.record_id, e.position`,
    }),
  ]);
  const byArticle = new Map<string, Tag[]>();
  for (const row of tags.rows) {
    const own = byArticle.get(row.article_id);
    if (own === undefined) byArticle.set(row.article_id, [row]);
    else own.push(row);
  }
  const data = articles.rows.map(({ id, title, words, ...row }) => {
    const own = byArticle.get(id) ?? [];
    return {
      ...{ id, title, tagIds: own.map((tag) => tag.id), words },
      ...times(row),
      tags: {
        data: own.slice(0, 10).map((tag) => ({ id: tag.id, name: tag.name, ...times(tag) })),
        more: own.length > 10,
      },
    };
  });
  const total = counted.rows[0]?.count ?? 0;
  const meta = { page: 1, perPage: 25, total, totalPages: Math.ceil(total / 25) };
  return response.json({ data, meta });
});

function times({ created_at, updated_at }: Pick<Row, "created_at" | "updated_at">) {
  return { createdAt: created_at.toISOString(), updatedAt: updated_at.toISOString() };
}

app.listen(Number(options.port), "127.0.0.1");
