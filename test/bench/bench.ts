import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { openDatabase, startEmbedded } from "../../runtime/db/index.js";
import { type Case, cases } from "./cases.js";
import { compareAnswers, type Figures, measure, median } from "./measure.js";
import { type Seeded, seed } from "./seed.js";
import { type Server, shop, startServers } from "./servers.js";

/**
 * `npm run bench`: the shop's emitted server and both hand-written references (`reference/`), in turn,
 * in one run, on one database: three rounds after a warm-up, medians and their ratios. Exits with 1
 * where a target is missed. `--only <words>` takes the cases whose name has them; `--quick` measures
 * two short rounds.
 */
const { values: options } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false } },
});
const plan = options.quick
  ? { rounds: 2, seconds: 1, warmUp: 1 }
  : { rounds: 3, seconds: 5, warmUp: 2 };
const chosen = cases.filter(({ name }) => name.includes(options.only ?? ""));

const folder = mkdtempSync(join(tmpdir(), "service-bench-"));
const embedded = await startEmbedded({ root: folder });
try {
  const met = await run(embedded.url);
  process.exitCode = met ? 0 : 1;
} finally {
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(adminUrl: string): Promise<boolean> {
  await execa("npx", ["tsc", "-p", shop], { cwd: shop });
  const admin = openDatabase({ url: adminUrl, poolSize: 1, prepare: false });
  process.stdout.write(
    `${row(["Case", "emitted/s", "E/s", "R/s", "× E", "× R", "target", "p50", "p99", "E p99", "met"])}\n`,
  );
  process.stdout.write(`${row(Array.from({ length: 11 }, () => "---"))}\n`);
  let met = true;
  try {
    for (const rows of new Set(chosen.map((one) => one.rows))) {
      const seeded = await seed(admin, adminUrl, rows);
      met =
        (await runCases(
          chosen.filter((one) => one.rows === rows),
          seeded,
        )) && met;
    }
  } finally {
    await admin.close();
  }
  return met;
}

async function runCases(some: readonly Case[], seeded: Seeded): Promise<boolean> {
  const servers = await startServers(seeded.url);
  try {
    let met = true;
    for (const one of some) met = (await runCase(one, servers, seeded)) && met;
    const memory = servers.map((server) => `${server.name} ${server.memory()} MB`).join(", ");
    process.stdout.write(`\nMemory after ${seeded.products} rows' cases: ${memory}\n\n`);
    return met;
  } finally {
    for (const server of servers) server.stop();
  }
}

async function runCase(one: Case, servers: readonly Server[], seeded: Seeded): Promise<boolean> {
  await compareAnswers(servers, one, seeded);
  for (const server of servers) await measure(server, one, seeded, plan.warmUp);
  const runs = servers.map((): Figures[] => []);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [at, server] of servers.entries()) {
      runs[at]?.push(await measure(server, one, seeded, plan.seconds));
    }
  }
  const [ours, e, r] = runs.map(median);
  if (ours === undefined || e === undefined || r === undefined) throw new Error("Nothing measured");
  const overE = ours.rate / e.rate;
  const overR = ours.rate / r.rate;
  const { target } = one;
  const met = overE >= target.e && overR >= (target.r ?? 0) && ours.p99 <= e.p99;
  const wanted = `${target.e} × E${target.r === undefined ? "" : `, ${target.r} × R`}`;
  const rates = [ours, e, r].map(({ rate }) => rate.toFixed(rate < 100 ? 1 : 0));
  const latency = [ours.p50, ours.p99, e.p99].map((ms) => `${ms} ms`);
  const ratios = [overE.toFixed(2), overR.toFixed(2)];
  process.stdout.write(
    `${row([one.name, ...rates, ...ratios, wanted, ...latency, met ? "yes" : "no"])}\n`,
  );
  return met;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
