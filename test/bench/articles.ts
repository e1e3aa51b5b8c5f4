import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Case } from "./cases.js";
import type { Check, Result } from "./check.js";
import { compareAnswers, headersOf } from "./compare.js";
import { measureCase } from "./comparison.js";
import { timed } from "./figure.js";
import { percentile } from "./load.js";
import {
  createDatabase,
  handWrittenCopy,
  insertToken,
  type Seeded,
  tidy,
  token,
  withConnection,
} from "./seed.js";
import { startArticles, startEmitted } from "./servers.js";
import type { Stage } from "./stage.js";
import { grouped, millisecondsText, rateText, ratioText } from "./table.js";
import { service, writeApp } from "./written-app.js";

const few = 10_000;
const many = 1_000_000;
const tags = 1_000;

/** A page of 25 records with the five that each lists, against one join by hand. */
export const taggedList: Check = {
  name: "list of 25 articles with 5 tags each",
  async run(stage) {
    return [await comparedList(stage, few), await comparedList(stage, many)];
  },
};

async function comparedList(stage: Stage, rows: Case["rows"]): Promise<Result> {
  const list: Case = {
    ...{ name: "articles", rows, method: "GET", target: { e: 1.5 } },
    paths: () => ["/api/articles?include=tags"],
  };
  const app = await builtApp();
  const seeded = await seedArticles(stage.adminUrl, app, rows);
  const forE = await handWrittenCopy(stage.adminUrl, seeded, "e");
  const servers = [await startEmitted(app, seeded.url), await startArticles(forE)];
  await compareAnswers(servers, list, seeded);
  const [ours, ofE] = await measureCase(list, { stage, seeded, servers });
  const ratio = (ours?.rate ?? 0) / (ofE?.rate ?? 0);
  return {
    name: `${taggedList.name}, ${grouped(rows)} rows`,
    measured: `${ratioText(ratio)} × E (${rateText(ours?.rate ?? 0)}, ${rateText(ofE?.rate ?? 0)} a second)`,
    ...{ target: "≥ 1.5 × E", met: ratio >= 1.5 },
  };
}

/** Conditions on the elements of lists, which an index serves. */
export const listFilters: Check = {
  name: "1 000 000 articles by elements of lists, p95",
  async run({ plan, adminUrl }) {
    const app = await builtApp();
    const seeded = await seedArticles(adminUrl, app, many);
    const server = await startEmitted(app, seeded.url);
    const ids = await withConnection(seeded.url, async (db) => {
      const { rows } = await db.query<{ id: string }>("select id from tags order by id");
      return rows.map(({ id }) => id);
    });
    const filters = [
      {
        name: "[all] of three tags",
        most: 30,
        of: (at: number) => `[tagIds][all]=${three(ids, at)}`,
      },
      { name: "[has] of a list", most: 15, of: (at: number) => `[words][has]=word${at % tags}` },
    ];
    const results = [];
    for (const { name, most, of } of filters) {
      const times: number[] = [];
      const until = performance.now() + (plan.warmUp + plan.seconds) * 1000;
      while (performance.now() < until || times.length < 2 * plan.leastAnswers) {
        const path = `/api/articles?filter${of(times.length)}`;
        times.push(await timeOf(server.url + encodeURI(path), seeded));
      }
      const p95 = percentile(
        times.slice(plan.leastAnswers).toSorted((one, other) => one - other),
        0.95,
      );
      results.push({
        ...{ name: `${listFilters.name}: ${name}`, measured: `${millisecondsText(p95)} ms` },
        ...{ target: `≤ ${most} ms`, met: p95 <= most },
      });
    }
    return results;
  },
};

/** Tags that an article has, as `fill` draws them. */
function three(ids: readonly string[], at: number): string {
  return [0, 1, 2].map((step) => ids[(at * 31 + step * step * 17) % tags]).join();
}

async function timeOf(url: string, seeded: Seeded): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { headers: headersOf(seeded) });
  if (!answer.ok) throw new Error(`${url} is answered with ${answer.status}`);
  await answer.arrayBuffer();
  return performance.now() - began;
}

let built: Promise<string> | undefined;

function builtApp(): Promise<string> {
  built ??= buildApp();
  return built;
}

async function buildApp(): Promise<string> {
  const root = await writeApp([
    {
      path: "resources/articles.yaml",
      text: `fields:
  title: { type: string, required: true, maxLength: 60 }
  tagIds: { type: links, resource: tags }
  words: { type: string, list: true, index: true }
`,
    },
    {
      path: "resources/tags.yaml",
      text: "fields: { name: { type: string, required: true, maxLength: 60 } }\n",
    },
  ]);
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}

const seeds = new Map<number, Promise<Seeded>>();

/** Creates a database with `articles` articles, once for each number: the measurements only read. */
function seedArticles(adminUrl: string, app: string, articles: number): Promise<Seeded> {
  const seeded = seeds.get(articles) ?? newArticles(adminUrl, app, articles);
  seeds.set(articles, seeded);
  return seeded;
}

async function newArticles(adminUrl: string, app: string, articles: number): Promise<Seeded> {
  const name = `bench_articles_${articles}`;
  const url = await createDatabase(adminUrl, name);
  await migrate({ url, directory: join(app, "migrations") });
  await withConnection(url, (db) => fill(db, articles));
  await tidy(url);
  const accounts = { addresses: [], password: "", hash: "" };
  const ids = { ids: [], categoryId: "", categoryIds: [], customerId: "" };
  return { name, url, products: 0, token, ...ids, accounts };
}

/** Five of the tags for each article, and two of as many words. */
async function fill(db: pg.Client, articles: number): Promise<void> {
  await insertToken(db);
  await db.query(
    "insert into tags (id, name) select uuidv7(), 'Tag ' || n from generate_series(1, $1) as n",
    [tags],
  );
  await db.query(
    `insert into articles (id, title, words, tag_ids)
     select uuidv7(), 'Article ' || n,
       array['word' || n % ${tags}, 'word' || (n * 7 + 1) % ${tags}],
       array(
         select ids[1 + (n * 31 + step * step * 17) % ${tags}] from generate_series(0, 4) as step
       )
     from (select array_agg(id order by id) as ids from tags) as tag, generate_series(1, $1) as n`,
    [articles],
  );
}
