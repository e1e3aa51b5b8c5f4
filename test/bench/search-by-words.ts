import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Check, Result } from "./check.js";
import { middle, timed } from "./figure.js";
import { createDatabase, insertToken, tidy, token, withConnection } from "./seed.js";
import { type Server, startEmitted, startWords } from "./servers.js";
import { grouped, ratioText } from "./table.js";
import { words } from "./words.js";
import { service, writeApp } from "./written-app.js";

const rows = 1_000_000;

/** How many records have a word, the words with so many, and the most milliseconds of 95 in 100 searches. */
const searches = [
  { share: 100_000, words: ["zaq", "zar", "zas", "zat", "zav"], most: 25 },
  { share: 100, words: ["zeq", "zer"], most: 60 },
  { share: 10, words: ["ziq"], most: 300 },
] as const;

/** Searches of each word, each after a commit: the server keeps answers until the next one. */
const tries = 20;

const target = 1.5;

/** Searches by words with ranks and totals, beside a hand-written server with a column `tsvector`, its index and `count(*)`. */
export const searchByWords: Check = {
  name: "search by words, 1 000 000 rows",
  async run({ adminUrl }) {
    const app = await buildApp();
    const url = await createDatabase(adminUrl, "bench_words");
    await migrate({ url, directory: join(app, "migrations") });
    await withConnection(url, fill);
    await tidy(url);
    const servers = {
      emitted: await startEmitted(app, url),
      written: await startWords(url),
      commit: () => withConnection(url, (db) => db.query("select pg_current_xact_id()")),
    };
    const results: Result[] = [];
    for (const search of searches) results.push(...(await measured(servers, search)));
    return results;
  },
};

interface Servers {
  readonly emitted: Server;
  readonly written: Server;
  /** Commits a transaction that changes nothing. */
  commit(): Promise<unknown>;
}

async function measured(
  servers: Servers,
  { share, words: searched, most }: (typeof searches)[number],
): Promise<readonly Result[]> {
  const hits = rows / share;
  const name = `search by words, ${grouped(hits)} of ${grouped(rows)} rows`;
  const times: number[] = [];
  const theirs: number[] = [];
  for (let at = 0; at <= tries; at += 1) {
    for (const word of searched) {
      await servers.commit();
      const ours = await timeOf(servers.emitted, word);
      const other = await timeOf(servers.written, word);
      for (const { total } of [ours, other]) {
        if (total !== hits) throw new Error(`${total} and not ${hits} records have ${word}`);
      }
      // The first of each word reads the index from the disk.
      if (at > 0) times.push(ours.ms);
      if (at > 0) theirs.push(other.ms);
    }
  }
  const p95 = times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? 0;
  const ratio = middle(theirs) / middle(times);
  return [
    {
      name: `${name}, p95`,
      measured: `${p95.toFixed(1)} ms`,
      target: `≤ ${most} ms`,
      met: p95 <= most,
    },
    {
      ...{ name: `${name}, beside a tsvector`, measured: `${ratioText(ratio)} ×` },
      ...{ target: `≥ ${target} ×`, met: ratio >= target },
    },
  ];
}

interface Timed {
  readonly ms: number;
  readonly total: number;
}

async function timeOf({ url }: Server, word: string): Promise<Timed> {
  const began = performance.now();
  const path = `/api/articles?search=${word}%20&perPage=20`;
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { meta } = (await answer.json()) as { readonly meta: { readonly total: number } };
  return { ms: performance.now() - began, total: meta.total };
}

async function buildApp(): Promise<string> {
  const text = `search: { language: english, fields: { title: A, body: B } }
fields:
  title: { type: string, required: true }
  body: { type: text }
`;
  const root = await writeApp([{ path: "resources/articles.yaml", text }]);
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}

/** Texts of about 300 characters, and the same in a table with a column of words. */
async function fill(db: pg.Client): Promise<void> {
  await insertToken(db);
  await db.query(
    "create table sample as select * from unnest($1::text[]) with ordinality as w (word, at)",
    [words],
  );
  await db.query("alter table sample add primary key (at)");
  await db.query(
    "create table written (id uuid, title text, body text, created_at timestamptz, updated_at timestamptz, vector tsvector)",
  );
  const found = searches.flatMap(({ share, words: searched }) =>
    searched.map((word, at) => `case when n % ${share} = ${at} then ' ${word}' else '' end`),
  );
  for (let from = 0; from < rows; from += batch) {
    await db.query(
      `insert into articles (id, title, body)
       select uuidv7(), 'Article ' || n, (
         select string_agg(word, ' ') from generate_series(1, 50) as k
         join sample on at = 1 + (n * 31 + k * k * 17 + k) % ${words.length}
       ) || ${found.join(" || ")}
       from generate_series($1::int, $2::int) as n`,
      [from, Math.min(from + batch, rows) - 1],
    );
  }
  await db.query(
    `insert into written
     select id, title, body, created_at, updated_at,
       setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'B')
     from articles`,
  );
  await db.query("alter table written add primary key (id)");
  await db.query("create index on written using gin (vector)");
}

const batch = 50_000;
