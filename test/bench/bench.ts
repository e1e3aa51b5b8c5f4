import { parseArgs } from "node:util";
import { execa } from "execa";
import { localTools } from "../support/processes/tools.js";
import { adoptedWrites } from "./adopted.js";
import { listFilters, taggedList } from "./articles.js";
import { batchAgainstPosts } from "./batch.js";
import { type Case, reads, writes } from "./cases.js";
import { type Check, checkHeading, checkRow, type Result } from "./check.js";
import { close, closeOnSignals, isClosed } from "./closing.js";
import { type Compared, compareCase, comparisonHeading, comparisonRow } from "./comparison.js";
import { dashboardChecks } from "./dashboard/checks.js";
import { startDatabase } from "./database.js";
import { eightIncludes } from "./eight-includes.js";
import { writeFigures } from "./figures/file.js";
import { placeFigures } from "./figures/place.js";
import { growthTable } from "./growth.js";
import { imageUpload } from "./image-upload.js";
import { invoiceList, invoicesByCustomer, revenueByCountry } from "./invoices.js";
import { keptAndSearched } from "./kept-and-searched.js";
import { limitsWithWorkers } from "./limits.js";
import { machine } from "./machine.js";
import { listGrowth } from "./own-figure.js";
import { ownerList } from "./owned.js";
import { processes } from "./processes.js";
import { providerSignIn } from "./provider-sign-in.js";
import { listByCondition, listWithoutToken } from "./public-list.js";
import { cursorPages, worstWhere } from "./queries.js";
import type { Plan } from "./rounds.js";
import { searchByWords } from "./search-by-words.js";
import { seed } from "./seed.js";
import { repository, shop } from "./servers.js";
import { passwordSignIn, signInFlood } from "./sign-in.js";
import { signedPictures } from "./signed-pictures.js";
import { openStage, type Stage } from "./stage.js";
import { grouped, line } from "./table.js";
import { visitorInLoop } from "./visitor-loop.js";
import { measureWorkers, tableOfWorkers } from "./workers.js";

/**
 * `npm run bench`: the shop's emitted server and both hand-written references (`reference/`), in turn,
 * in one run, on databases that begin alike: rounds after a warm-up, medians and their ratios, as
 * Markdown; what happens meanwhile goes to stderr. Exits with 1 where a target is missed. A run of
 * everything writes its figures for the README and the page on performance (`figures/`).
 *
 * `--only <words>` takes what has them in its name; `--quick` measures a few short rounds, and no
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
// What is whole takes half an hour with these.
const thorough: Plan = { rounds: 3, seconds: 3, warmUp: 1, leastAnswers: 32 };
const short: Plan = { rounds: 2, seconds: 0.7, warmUp: 0.3, leastAnswers: 4 };

/** Only then do all figures come from one run. */
const isWhole =
  options.only === "" && !(options.quick || options.growth || options.workers || options.dashboard);

// Writes come last: after them the databases of the servers are no longer alike.
const cases: readonly Case[] = [...reads, ...writes];
const checks: readonly Check[] = [
  listGrowth,
  ownerList,
  listWithoutToken,
  listByCondition,
  visitorInLoop,
  batchAgainstPosts,
  cursorPages,
  worstWhere,
  eightIncludes,
  invoiceList,
  taggedList,
  listFilters,
  revenueByCountry,
  invoicesByCustomer,
  searchByWords,
  keptAndSearched,
  adoptedWrites,
  passwordSignIn,
  signInFlood,
  providerSignIn,
  signedPictures,
  imageUpload,
  limitsWithWorkers,
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
  const began = performance.now();
  await execa("tsc", ["-p", shop], { ...localTools, cwd: shop });
  const adminUrl = await startDatabase();
  const stage = openStage(options.quick || options.growth ? short : thorough, adminUrl);
  const onMachine = await machine(adminUrl);
  process.stdout.write(`${onMachine}\n\n`);
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
  if (options.dashboard) return allMet(await check(stage, dashboardChecks(stage.plan)));
  const compared = await table(comparisonHeading, chosen(cases), {
    measure: async (one) => [await compareCase(one, stage)],
    rowOf: comparisonRow,
  });
  await memory(stage);
  const checked = await check(stage, checks);
  if (isWhole) {
    const minutes = Math.round((performance.now() - began) / 60_000);
    const day = new Date().toISOString().slice(0, 10);
    keep(`in one run of ${minutes} minutes on ${day}: ${onMachine}`, compared, checked);
  }
  return allMet(compared) && allMet(checked);
}

/** Stores the figures of a whole run, unless something could not be measured. */
function keep(measured: string, compared: Measured<Compared>, checked: Measured<Result>): void {
  if (compared.missing + checked.missing > 0) {
    process.stderr.write("The figures are not stored, as some could not be measured\n");
    return;
  }
  writeFigures(repository, {
    measured,
    cases: compared.found.map(({ figures }) => figures),
    checks: checked.found.map(({ name, measured, target }) => ({ name, measured, target })),
  });
  placeFigures(repository);
}

function check(stage: Stage, all: readonly Check[]): Promise<Measured<Result>> {
  return table(checkHeading, chosen(all), { measure: (one) => one.run(stage), rowOf: checkRow });
}

interface Measured<Found> {
  readonly found: readonly Found[];
  /** How many could not be measured. */
  readonly missing: number;
}

function allMet({ found, missing }: Measured<{ readonly met: boolean }>): boolean {
  return missing === 0 && found.every(({ met }) => met);
}

function chosen<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  return all.filter(({ name }) => name.includes(options.only));
}

/** Some lines for each; what cannot be measured is reported, counts as missed and keeps nothing from running. */
async function table<Named extends { readonly name: string }, Found>(
  heading: string,
  all: readonly Named[],
  {
    measure,
    rowOf,
  }: {
    readonly measure: (one: Named) => Promise<readonly Found[]>;
    readonly rowOf: (found: Found) => string;
  },
): Promise<Measured<Found>> {
  const found: Found[] = [];
  let missing = 0;
  if (all.length === 0) return { found, missing };
  process.stdout.write(heading);
  for (const one of all) {
    try {
      for (const result of await measure(one)) {
        process.stdout.write(rowOf(result));
        found.push(result);
      }
    } catch (error) {
      if (isClosed()) throw error;
      process.stdout.write(line(one.name, "not measured"));
      process.stderr.write(`${one.name}: ${error instanceof Error ? error.message : error}\n`);
      missing += 1;
    }
  }
  process.stdout.write("\n");
  return { found, missing };
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
