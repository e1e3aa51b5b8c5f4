import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Check, Result } from "./check.js";
import { timed } from "./figure.js";
import type { Figures } from "./load.js";
import { probe } from "./probe.js";
import { rounds } from "./rounds.js";
import { createDatabase, insertToken, tidy, token, withConnection } from "./seed.js";
import { type Server, startEmitted } from "./servers.js";
import { millisecondsText, ratioText } from "./table.js";
import { service, writeApp } from "./written-app.js";

const rows = 1_000_000;

/** Milliseconds between two writes, after which no list is answered from memory. */
const writeEvery = 100;

/** A list by a condition that no kept number answers, and a search for a word of half of the records. */
const loops = [
  { does: "lists", path: "/api/events" },
  { does: "searches", path: "/api/events?search=words" },
] as const;

/** What others notice while a visitor repeats an expensive request without a pause. */
export const visitorInLoop: Check = {
  name: "p99 of GET one while a visitor lists or searches in a loop, 1 000 000 rows",
  async run({ plan, adminUrl }) {
    const site = await openSite(adminUrl);
    await probeOne(site, plan.warmUp);
    const results: Result[] = [];
    for (const { does, path } of loops) {
      const [idle, looped] = await rounds(
        plan.rounds,
        [() => probeOne(site, plan.seconds), () => probeBesideLoop(site, path, plan.seconds)],
        (run) => run(),
      );
      const ratio = (looped?.p99 ?? 0) / (idle?.p99 ?? 0);
      const [before, during] = [idle, looped].map((one) => millisecondsText(one?.p99 ?? 0));
      results.push({
        name: `p99 of GET one while a visitor ${does} in a loop, 1 000 000 rows`,
        measured: `${ratioText(ratio)} × (${during} ms, idle ${before} ms)`,
        ...{ target: "≤ 5 × idle", met: ratio <= 5 },
      });
    }
    return results;
  },
};

const descriptor = `
owner: userId
access:
  read: [{ who: public, where: { status: live, publishedAt: { lte: $now } } }, owner, admin]
  create: public
  update: [{ who: owner, where: { status: { ne: closed } }, check: { status: { in: [draft, review] } } }, admin]
  delete: [admin]
cache: 60
search: { language: english, fields: { title: A } }
fields:
  title: { type: string, required: true, maxLength: 120 }
  status: { type: enum, values: [draft, review, live, closed], required: true, default: draft }
  publishedAt: { type: timestamp }
  userId: { type: belongsTo, resource: users }
`;

interface Site {
  readonly server: Server;
  /** Paths of public records. */
  readonly paths: readonly string[];
}

async function openSite(adminUrl: string): Promise<Site> {
  const app = await writeApp([{ path: "resources/events.yaml", text: descriptor }]);
  await timed([service, "-C", app, "generate"]);
  await execa("tsc", ["-p", app], { ...localTools, cwd: app });
  const url = await createDatabase(adminUrl, `bench_events_${rows}`);
  await migrate({ url, directory: join(app, "migrations") });
  const ids = await withConnection(url, async (db) => {
    await fill(db);
    const { rows: found } = await db.query<{ id: string }>(
      "select id from events where status = 'live' order by md5(id::text) limit 1000",
    );
    return found.map(({ id }) => id);
  });
  await tidy(url);
  return { server: await startEmitted(app, url), paths: ids.map((id) => `/api/events/${id}`) };
}

/** A third of them is live; of these a tenth will be published later. */
async function fill(db: pg.Client): Promise<void> {
  await insertToken(db);
  for (let from = 0; from < rows; from += batch) {
    await db.query(
      `insert into events (id, title, status, published_at, created_at, updated_at)
       select
         uuidv7(), rpad('Event ' || n, 90, (array[' of words', ' of texts'])[1 + n / 3 % 2]), (array['draft', 'live', 'closed'])[1 + n % 3],
         at + interval '1 year' * (n % 30 / 27), at, at
       from
         generate_series($1::int, $2::int) as n,
         lateral (select now() - make_interval(secs => 30 * ($3 - n)) as at) as made`,
      [from, Math.min(from + batch, rows) - 1, rows],
    );
  }
}

const batch = 100_000;

const headers = { accept: "application/json", authorization: `Bearer ${token}` };

function probeOne({ server, paths }: Site, seconds: number): Promise<Figures> {
  return probe({ url: server.url, paths, headers, seconds });
}

async function probeBesideLoop(site: Site, path: string, seconds: number): Promise<Figures> {
  const until = performance.now() + seconds * 1000 + 500;
  const work = [askUntil(site, path, until), writeUntil(site, until)];
  await sleep(500);
  const figures = await probeOne(site, seconds);
  await Promise.all(work);
  return figures;
}

async function askUntil({ server }: Site, path: string, until: number): Promise<void> {
  while (performance.now() < until) {
    const answer = await fetch(server.url + path);
    await answer.text();
    if (answer.status !== 200 && answer.status !== 503) {
      throw new Error(`${path} is answered with ${answer.status}`);
    }
  }
}

function writeUntil({ server }: Site, until: number): Promise<void> {
  return withConnection(server.databaseUrl, async (db) => {
    while (performance.now() < until) {
      await db.query(
        "insert into events (id, title, status, published_at) values (uuidv7(), 'New', 'live', now())",
      );
      await sleep(writeEvery);
    }
  });
}
