import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Case } from "./cases.js";
import type { Check } from "./check.js";
import { compareAnswers } from "./compare.js";
import { measureCase } from "./comparison.js";
import { timed } from "./figure.js";
import {
  createDatabase,
  handWrittenCopy,
  insertToken,
  type Seeded,
  tidy,
  token,
  withConnection,
} from "./seed.js";
import { startEmitted, startPosts } from "./servers.js";
import { rateText, ratioText } from "./table.js";
import { service, writeApp } from "./written-app.js";

const few = 10_000;
const many = 1_000_000;

/** What is public costs no more without a token than with one. */
export const listWithoutToken: Check = {
  name: "public list without a token, 10 000 rows",
  async run(stage) {
    const app = await builtApp();
    const seeded = await seedPosts(stage.adminUrl, app, few);
    const servers = [await startEmitted(app, seeded.url)];
    const [signedIn] = await measureCase(list, { stage, seeded, servers });
    const [visitor] = await measureCase(list, { stage, seeded: withoutToken(seeded), servers });
    const [ours, other] = [visitor?.rate ?? 0, signedIn?.rate ?? 0];
    const ratio = ours / other;
    const measured = `${ratioText(ratio)} × with one (${rateText(ours)}, ${rateText(other)} a second)`;
    return [{ name: listWithoutToken.name, measured, target: "≥ 1 ×", met: ratio >= 1 }];
  },
};

/** A page and its total by a condition that the counts of an enum answer. */
export const listByCondition: Check = {
  name: "public list by a condition, 1 000 000 rows",
  async run(stage) {
    const app = await builtApp();
    const seeded = withoutToken(await seedPosts(stage.adminUrl, app, many));
    const forE = await handWrittenCopy(stage.adminUrl, seeded, "e");
    const servers = [await startEmitted(app, seeded.url), await startPosts(forE)];
    await compareAnswers(servers, list, seeded);
    const [ours, ofE] = await measureCase(list, { stage, seeded, servers });
    const ratio = (ours?.rate ?? 0) / (ofE?.rate ?? 0);
    const measured = `${ratioText(ratio)} × E (${rateText(ours?.rate ?? 0)}, ${rateText(ofE?.rate ?? 0)} a second)`;
    return [{ name: listByCondition.name, measured, target: "≥ 100 × E", met: ratio >= 100 }];
  },
};

const list: Case = {
  name: "public posts",
  rows: many,
  method: "GET",
  paths: () => ["/api/posts"],
  target: { e: 100 },
};

function withoutToken(seeded: Seeded): Seeded {
  return { ...seeded, token: "" };
}

let built: Promise<string> | undefined;

function builtApp(): Promise<string> {
  built ??= buildApp();
  return built;
}

async function buildApp(): Promise<string> {
  const text = `
access: { read: { who: public, where: { status: live } }, write: [admin] }
fields:
  title: { type: string, required: true, maxLength: 120 }
  status: { type: enum, values: [draft, live, closed], required: true, default: draft }
`;
  const root = await writeApp([{ path: "resources/posts.yaml", text }]);
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}

async function seedPosts(adminUrl: string, app: string, posts: number): Promise<Seeded> {
  const name = `bench_posts_${posts}`;
  const url = await createDatabase(adminUrl, name);
  await migrate({ url, directory: join(app, "migrations") });
  await withConnection(url, (db) => fill(db, posts));
  await tidy(url);
  const accounts = { addresses: [], password: "", hash: "" };
  const ids = { ids: [], categoryId: "", categoryIds: [], customerId: "" };
  return { name, url, products: 0, token, ...ids, accounts };
}

/** A third of them is live, and no two neighbours are. */
async function fill(db: pg.Client, posts: number): Promise<void> {
  await insertToken(db);
  for (let from = 0; from < posts; from += batch) {
    await db.query(
      `insert into posts (id, title, status, created_at, updated_at)
       select uuidv7(), rpad('Post ' || n, 90, ' of words'), (array['draft', 'live', 'closed'])[1 + n % 3], at, at
       from
         generate_series($1::int, $2::int) as n,
         lateral (select now() - make_interval(secs => 60 * ($3 - n)) as at) as made`,
      [from, Math.min(from + batch, posts) - 1, posts],
    );
  }
}

const batch = 100_000;
