import pg from "pg";
import type { Case } from "./cases.js";
import { compareAnswers, headersOf } from "./compare.js";
import type { CaseFigures } from "./figures/file.js";
import { type Figures, load } from "./load.js";
import { quiet } from "./quiet.js";
import { rounds } from "./rounds.js";
import { type Seeded, tidy, withConnection } from "./seed.js";
import type { Server } from "./servers.js";
import type { Stage } from "./stage.js";
import { heading, line, metText, millisecondsText, rateText, ratioText } from "./table.js";

/** The table's head. */
export const comparisonHeading = heading(
  "Case",
  "emitted/s",
  "× E",
  "× R",
  "p50, ms",
  "p99, ms",
  "E's p99",
  "target",
  "met",
);

/** What was found of a case, and whether its target is met. */
export interface Compared {
  readonly figures: CaseFigures;
  readonly wanted: string;
  readonly met: boolean;
}

/** A line of the table. */
export function comparisonRow({ figures, wanted, met }: Compared): string {
  const { name, rate, e, r, p50, p99, p99OfE } = figures;
  const times = [p50, p99, p99OfE].map(millisecondsText);
  return line(name, rateText(rate), ratioText(e), ratioText(r), ...times, wanted, metText(met));
}

/** Measures a case against both references. */
export async function compareCase(one: Case, stage: Stage): Promise<Compared> {
  const { references = "plain" } = one;
  const open = references === "plain" ? stage.shop : stage.searchedShop;
  const { seeded, emitted, e, r } = await open(one.rows);
  const servers = [emitted, e, r];
  await compareAnswers(servers, one, seeded);
  const [ours, ofE, ofR] = await measureCase(one, { stage, seeded, servers });
  if (ours === undefined || ofE === undefined || ofR === undefined) {
    throw new Error("Nothing was measured");
  }
  const ratios = { e: ours.rate / ofE.rate, r: ours.rate / ofR.rate };
  const { target } = one;
  const met = ratios.e >= target.e && ratios.r >= (target.r ?? 0) && ours.p99 <= ofE.p99;
  const wanted = `${target.e} × E${target.r === undefined ? "" : `, ${target.r} × R`}`;
  const figures = {
    name: one.name,
    rows: one.rows,
    rate: rounded(ours.rate),
    e: rounded(ratios.e),
    r: rounded(ratios.r),
    p50: rounded(ours.p50),
    p99: rounded(ours.p99),
    p99OfE: rounded(ofE.p99),
  };
  return { figures, wanted, met };
}

/** To hundredths, of which no table shows more. */
function rounded(figure: number): number {
  return Number(figure.toFixed(2));
}

/** A case's figures for each of the servers, after a warm-up of each. */
export async function measureCase(
  one: Case,
  subject: {
    readonly stage: Stage;
    readonly seeded: Seeded;
    readonly servers: readonly Server[];
  },
): Promise<readonly Figures[]> {
  const { stage, seeded, servers } = subject;
  const { plan } = stage;
  const leastAnswers = Math.max(plan.leastAnswers, one.leastAnswers ?? 0);
  // All before the first warm-up: a checkpoint is one of all databases. After it the first change of each page is written
  // as the whole page, so that it would undo the warm-up of those whose turn was before.
  if (one.method !== "GET") for (const { databaseUrl } of servers) await tidy(databaseUrl);
  for (const server of servers) {
    await runCase(one, seeded, { server, seconds: plan.warmUp, leastAnswers: 0 });
  }
  const figures = await rounds(plan.rounds, servers, (server) =>
    runCase(one, seeded, { ...plan, leastAnswers, server }),
  );
  if (one.method === "POST") await forgetWritten(servers);
  return figures;
}

/** Leaves the tables as long as they were: the next cases are about so many rows. */
async function forgetWritten(servers: readonly Server[]): Promise<void> {
  for (const { databaseUrl } of servers) {
    await withConnection(databaseUrl, (db) =>
      db.query(`
        lock table orders, order_items in exclusive mode;
        delete from order_items;
        delete from orders;
        delete from products where name like 'Written %'
      `),
    );
    await tidy(databaseUrl);
  }
}

/** Keeps a server busy with a case, and times its answers. */
export async function runCase(
  { method, paths, body, isBesideWrites = false }: Case,
  seeded: Seeded,
  run: { readonly server: Server; readonly seconds: number; readonly leastAnswers: number },
): Promise<Figures> {
  const { server, seconds, leastAnswers } = run;
  const writing = isBesideWrites ? await keepWriting(server.databaseUrl) : null;
  try {
    return await load({
      url: server.url,
      method,
      paths: paths(seeded),
      headers: headersOf(seeded),
      body: body && (() => body(seeded)),
      seconds,
      leastAnswers,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Error(`${server.name}: ${reason}\n${server.complaints()}`);
  } finally {
    await writing?.end();
    await quiet(server.databaseUrl);
  }
}

/** Writes to a table that nobody reads until it is ended, so that next to nothing is answered from memory. */
export async function keepWriting(databaseUrl: string): Promise<{ end(): Promise<void> }> {
  const db = new pg.Client(databaseUrl);
  await db.connect();
  await db.query("create table if not exists written (at timestamptz)");
  let last: Promise<unknown> = Promise.resolve();
  const writing = setInterval(() => {
    last = last.then(() => db.query("insert into written values (now())")).catch(() => {});
  }, 20);
  return {
    async end() {
      clearInterval(writing);
      await last;
      await db.end();
    },
  };
}
