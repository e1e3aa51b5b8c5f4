import { parseArgs } from "node:util";
import { execa } from "execa";
import { localTools } from "../support/processes/tools.js";
import { batchAgainstPosts } from "./batch.js";
import { type Case, reads, writes } from "./cases.js";
import { type Check, checkHeading, checkRow } from "./check.js";
import { close, closeOnSignals, isClosed } from "./closing.js";
import { compareCase, comparisonHeading, type Row } from "./comparison.js";
import { dashboardChecks } from "./dashboard/checks.js";
import { startDatabase } from "./database.js";
import { eightIncludes } from "./eight-includes.js";
import { growthTable } from "./growth.js";
import { imageUpload } from "./image-upload.js";
import { machine } from "./machine.js";
import { listGrowth } from "./own-figure.js";
import { ownerList } from "./owned.js";
import { processes } from "./processes.js";
import { cursorPages, worstWhere } from "./questions.js";
import type { Plan } from "./rounds.js";
import { seed } from "./seed.js";
import { shop } from "./servers.js";
import { passwordSignIn, signInFlood } from "./sign-in.js";
import { openStage, type Stage } from "./stage.js";
import { grouped, line } from "./table.js";
import { measureWorkers, tableOfWorkers } from "./workers.js";

/**
 * `npm run bench`: the shop's emitted server and both hand-written references (`reference/`), in turn,
 * in one run, on databases that begin alike: rounds after a warm-up, medians and their ratios, as
 * Markdown; what happens meanwhile goes to stderr. Exits with 1 where a target is missed.
 *
 * `--only <words>` takes what has them in its name; `--quick` measures two short rounds, and no
 * whole processes. `--growth` shows instead how the emitted server's reads fare at a thousand to a
 * million rows; `--rows <n>`, repeatable, chooses other numbers. `--workers` shows it with one, two
 * and four processes. `--dashboard` measures the dashboard before a million rows, in a Chromium.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    growth: { type: "boolean", default: false },
    workers: { type: "boolean", default: false },
    dashboard: { type: "boolean", default: false },
    rows: { type: "string", multiple: true, default: ["1000", "10000", "100000", "1000000"] },
  },
});
const thorough: Plan = { rounds: 3, seconds: 5, warmUp: 2, leastAnswers: 32 };
const short: Plan = { rounds: 2, seconds: 0.7, warmUp: 0.3, leastAnswers: 4 };

// Writes come last: after them the databases of the servers are no longer alike.
const cases: readonly Case[] = [...reads, ...writes];
const checks: readonly Check[] = [
  listGrowth,
  ownerList,
  batchAgainstPosts,
  cursorPages,
  worstWhere,
  eightIncludes,
  passwordSignIn,
  signInFlood,
  imageUpload,
  ...(options.quick ? [] : processes),
];

closeOnSignals();
try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  // Whoever broke the run off does not want to read what failed by it.
  if (!isClosed()) throw error;
} finally {
  await close();
}

async function run(): Promise<boolean> {
  await execa("tsc", ["-p", shop], { ...localTools, cwd: shop });
  const adminUrl = await startDatabase();
  const stage = openStage(options.quick || options.growth ? short : thorough, adminUrl);
  process.stdout.write(`${await machine(adminUrl)}\n\n`);
  if (options.growth) {
    process.stdout.write(
      await growthTable(stage, { sizes: options.rows.map(Number), cases: chosen(reads) }),
    );
    return true;
  }
  if (options.workers) {
    const seeded = await seed(adminUrl, 10_000);
    process.stdout.write(`${tableOfWorkers(await measureWorkers(seeded))}\n`);
    return true;
  }
  if (options.dashboard) return check(stage, dashboardChecks(stage.plan));
  const compared = await table(comparisonHeading, chosen(cases), async (one) => [
    await compareCase(one, stage),
  ]);
  await memory(stage);
  return (await check(stage, checks)) && compared;
}

function check(stage: Stage, all: readonly Check[]): Promise<boolean> {
  return table(checkHeading, chosen(all), async (one) =>
    (await one.run(stage)).map((result) => ({ row: checkRow(result), met: result.met })),
  );
}

function chosen<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  return all.filter(({ name }) => name.includes(options.only));
}

/** Some lines for each; what cannot be measured is told of, counts as missed and keeps nothing from running. */
async function table<Named extends { readonly name: string }>(
  heading: string,
  all: readonly Named[],
  measure: (one: Named) => Promise<readonly Row[]>,
): Promise<boolean> {
  if (all.length === 0) return true;
  process.stdout.write(heading);
  let allMet = true;
  for (const one of all) {
    try {
      for (const { row, met } of await measure(one)) {
        process.stdout.write(row);
        allMet &&= met;
      }
    } catch (error) {
      if (isClosed()) throw error;
      process.stdout.write(line(one.name, "not measured"));
      process.stderr.write(`${one.name}: ${error instanceof Error ? error.message : error}\n`);
      allMet = false;
    }
  }
  process.stdout.write("\n");
  return allMet;
}

async function memory(stage: Stage): Promise<void> {
  for (const rows of new Set(chosen(cases).map((one) => one.rows))) {
    const { emitted, e, r } = await stage.shop(rows);
    const held = [emitted, e, r].map((server) => `${server.name} ${server.memory()} MB`);
    process.stdout.write(
      `Memory after the cases of ${grouped(rows)} rows: ${held.join(", ")}.\n\n`,
    );
  }
}
