import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { execa } from "execa";
import sharp from "sharp";
import { startEmbedded } from "../../bin/embedded/load.js";
import { close, closeOnSignals, onClose } from "../bench/closing.js";
import { seed, withConnection } from "../bench/seed.js";
import { repository, type Server, shop, startEmitted } from "../bench/servers.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { localTools } from "../support/processes/tools.js";
import { chart } from "./chart.js";
import { startMixedLoad } from "./load.js";

/**
 * `npm run endurance`: the shop's emitted server on a database with autovacuum, under a mixed load of `--rate` requests a
 * second (60) for `--minutes` (120). Each minute prints and keeps what the server holds (memory, descriptors,
 * connections), how long answers took, and how large the tables of the package are. At the end the first and the last
 * tenth are compared, and `docs/pictures/endurance.svg` is drawn. Exits with 1 where something grows or fails.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    rate: { type: "string", default: "60" },
  },
});
const minutes = Number(options.minutes);
const rate = Number(options.rate);

/** What a minute was like. */
export interface Minute {
  readonly minute: number;
  readonly answers: number;
  readonly failures: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Megabytes of the server's process. */
  readonly memory: number;
  readonly descriptors: number;
  readonly connections: number;
  /** Rows of the package's tables together, and rows of all tables that autovacuum has yet to remove. */
  readonly packageRows: number;
  readonly deadRows: number;
  /** Megabytes of the database. */
  readonly database: number;
}

async function run(): Promise<boolean> {
  await execa("tsc", ["-p", shop], { ...localTools, cwd: shop });
  const root = makeAppFolder();
  onClose(() => removeAppFolder(root));
  const embedded = await startEmbedded({ root, settings: { shared_buffers: "256MB" } });
  onClose(() => embedded.stop());
  const seeded = await seed(embedded.url, 50_000);
  const server = await startEmitted(shop, seeded.url);
  const bytes = await sharp({
    create: { width: 800, height: 600, channels: 3, background: "teal" },
  })
    .png()
    .toBuffer();
  const picture = new Blob([new Uint8Array(bytes)], { type: "image/png" });
  const load = startMixedLoad(server.url, seeded, picture, rate);
  const all: Minute[] = [];
  const failed = new Map<string, number>();
  console.log(heading);
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(60_000);
    const { times, failures } = load.take();
    for (const [what, count] of failures) failed.set(what, (failed.get(what) ?? 0) + count);
    const measured = await measure(server, seeded.url, minute, times, failures);
    all.push(measured);
    console.log(line(measured));
  }
  await load.stop();
  for (const [what, count] of failed) console.log(`${count} × ${what}`);
  console.log(await tables(seeded.url));
  writeFileSync(join(repository, "docs/pictures/endurance.svg"), chart(all));
  return isStable(all) && failed.size === 0;
}

const columns: readonly (keyof Minute)[] = [
  "minute",
  "answers",
  "failures",
  "p50",
  "p99",
  "memory",
  "descriptors",
  "connections",
  "packageRows",
  "deadRows",
  "database",
];
const heading = columns.join("\t");

function line(minute: Minute): string {
  return columns.map((name) => Math.round(minute[name] * 10) / 10).join("\t");
}

async function measure(
  server: Server,
  url: string,
  minute: number,
  times: readonly number[],
  failures: ReadonlyMap<string, number>,
): Promise<Minute> {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const [row] = await withConnection(url, async (db) => {
    const { rows } = await db.query<Record<string, string>>(sizes);
    return rows;
  });
  const figure = (name: string) => Number(row?.[name]);
  return {
    minute,
    answers: times.length,
    failures: [...failures.values()].reduce((sum, count) => sum + count, 0),
    p50: at(0.5),
    p99: at(0.99),
    memory: server.memory(),
    descriptors: descriptorsOf(server),
    connections: figure("connections"),
    packageRows: figure("package_rows"),
    deadRows: figure("dead_rows"),
    database: figure("bytes") / 2 ** 20,
  };
}

const sizes = `
  select
    (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as connections,
    (select sum(n_live_tup) from pg_stat_user_tables where schemaname = 'service') as package_rows,
    (select sum(n_dead_tup) from pg_stat_user_tables) as dead_rows,
    pg_database_size(current_database()) as bytes`;

/** Open files and sockets of the process that serves. */
function descriptorsOf({ pid }: Server): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

/** The largest tables of the package at the end. */
function tables(url: string): Promise<string> {
  return withConnection(url, async (db) => {
    const { rows } = await db.query<{ line: string }>(`
      select relname || ': ' || n_live_tup || ' rows, ' || n_dead_tup || ' dead, '
        || pg_size_pretty(pg_total_relation_size(relid)) as line
      from pg_stat_user_tables where schemaname = 'service' order by pg_total_relation_size(relid) desc limit 12`);
    return rows.map((row) => row.line).join("\n");
  });
}

/** Whether the last tenth is like the second one; the first is a warm-up. */
function isStable(all: readonly Minute[]): boolean {
  const tenth = Math.max(1, Math.floor(all.length / 10));
  const middle = (some: readonly Minute[], name: keyof Minute) =>
    some.map((minute) => minute[name]).toSorted((one, other) => one - other)[some.length >> 1] ?? 0;
  const [early, late] = [all.slice(tenth, 2 * tenth), all.slice(-tenth)];
  const grown = (["memory", "descriptors", "connections", "p99"] as const).filter(
    (name) => middle(late, name) > 1.25 * middle(early, name) + 5,
  );
  for (const name of grown) {
    console.log(`${name}: ${middle(early, name)} early, ${middle(late, name)} at the end`);
  }
  return grown.length === 0;
}

closeOnSignals();
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await close();
}
