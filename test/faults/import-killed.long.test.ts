import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { faultChance } from "../support/load/chance.js";
import {
  faultRounds,
  openUnderLoad,
  faultTimeout as timeout,
  type UnderLoad,
} from "../support/load/under-load.js";
import { plain, program } from "../support/processes/commands.js";
import { childrenOf } from "../support/processes/processes.js";
import { isHurried } from "../support/searches.js";

let shop: UnderLoad;
beforeAll(async () => {
  shop = await openUnderLoad();
});
afterAll(() => shop.close());

const chance = faultChance("import-killed");

/** What is killed: the command runs the built app, which stores the rows. */
const victims = ["PostgreSQL", "both", "the command", "the app"] as const;
type Victim = (typeof victims)[number];
/** Each in turn; CI has time for one. */
const plan = Array.from(
  { length: isHurried ? 1 : faultRounds },
  (_, at): Victim => victims[at % victims.length] ?? "both",
);

/** The rows that a transaction of an import has at most. */
const together = 1_000;
const rows = (plan.length * 3 + 2) * together;
/** One row of so many cannot be stored. */
const wrongEach = 700;

function startImport(args: readonly string[]) {
  return execa(process.execPath, [program, "-C", shop.host.root, "import", ...args, "--json"], {
    env: {
      ...plain,
      DATABASE_URL: shop.host.databaseUrl,
      SERVICE_SECRET: "a secret of the tests, long enough",
    },
    reject: false,
  });
}
type Import = ReturnType<typeof startImport>;

async function kill(running: Import, victim: Victim): Promise<void> {
  if (victim === "PostgreSQL") return shop.host.killDatabase();
  const app = childrenOf(running.pid);
  if (victim !== "the app") running.kill("SIGKILL");
  if (victim !== "the command") for (const pid of app) process.kill(pid, "SIGKILL");
}

/** The file of products with these names; a price that is no number is refused. */
function writeProducts(name: string, count: number, wrong: number): string {
  const path = join(shop.host.root, `${name}.csv`);
  const lines = Array.from({ length: count }, (_, at) => {
    const price = wrong > 0 && at % wrong === 0 ? "dear" : "1.50";
    return `${name} ${at},${price},Category of imports`;
  });
  writeFileSync(path, `name,price,categoryId\n${lines.join("\n")}\n`);
  return path;
}

const named = (name: string) =>
  shop.ask<{ name: string }>(`select name from products where name like '${name} %'`);

async function addCategory(): Promise<void> {
  await shop.ask(
    "insert into categories (id, name) values (gen_random_uuid(), 'Category of imports') on conflict do nothing",
  );
}

const link = ["--link", "categoryId=name"];

test("an import with skip, killed repeatedly under load, stores each row once when it is resumed", {
  timeout,
}, async () => {
  await addCategory();
  const path = writeProducts("Skipped", rows, wrongEach);
  const args = ["products", path, ...link, "--on-error", "skip"];
  const marked = async () => {
    const found = await shop.ask<{ rows: number }>("select rows::int as rows from service.imports");
    return found[0]?.rows ?? 0;
  };
  const load = await shop.startLoad();
  for (const [round, victim] of plan.entries()) {
    const before = await marked();
    const running = startImport(round === 0 ? args : [...args, "--resume"]);
    await expect.poll(marked, { interval: 10, timeout: 90_000 }).toBeGreaterThan(before);
    await sleep(chance.below(100));
    await kill(running, victim);
    const { exitCode, stderr } = await running;
    if (victim === "PostgreSQL" || victim === "the app") expect(exitCode, stderr).toBe(1);
    // Neither is a bug.
    expect(stderr).not.toMatch(/^ +at /m);
  }
  const { exitCode, stdout, stderr } = await startImport([...args, "--resume"]);
  expect(exitCode, stderr).toBe(1);
  const { from, rows: last } = JSON.parse(stdout);
  expect(last).toBeGreaterThan(0);
  expect(from + last - 1).toBe(rows);
  const isWrong = (at: number) => at % wrongEach === 0;
  const numbers = Array.from({ length: rows }, (_, at) => at);
  const stored = (await named("Skipped")).map(({ name }) => name);
  expect(stored.toSorted()).toEqual(
    numbers
      .filter((at) => !isWrong(at))
      .map((at) => `Skipped ${at}`)
      .toSorted(),
  );
  const refused = readFileSync(`${path}.errors.csv`, "utf8").trim().split("\r\n");
  expect(refused.slice(1).map((line) => Number(line.split(",")[0]))).toEqual(
    numbers.filter(isWrong).map((at) => at + 1),
  );
  await shop.expectNothingLost(load);
});

test("an import with stop stores nothing or everything, however it ends, and can be run again", {
  timeout,
}, async () => {
  await addCategory();
  const count = 4 * together;
  const began = performance.now();
  const measured = writeProducts("Measured", count, 0);
  expect(await startImport(["products", measured, ...link])).toMatchObject({ exitCode: 0 });
  const wholeMs = performance.now() - began;
  for (const [round, victim] of plan.entries()) {
    const name = `Stopped ${round}`;
    const args = ["products", writeProducts(name, count, 0), ...link];
    const running = startImport(args);
    await sleep(wholeMs * (0.4 + chance.below(70) / 100));
    await kill(running, victim);
    const { stderr } = await running;
    expect(stderr).not.toMatch(/^ +at /m);
    const found = (await named(name)).length;
    expect([0, count]).toContain(found);
    // Where PostgreSQL has committed after all what it was sent, the rows are there already.
    const again = await startImport(args);
    expect(again.exitCode === 0 || (await named(name)).length === count, again.stderr).toBe(true);
    expect(await named(name)).toHaveLength(count);
  }
  expect(await shop.ask("select * from service.wrong_counts()")).toEqual([]);
});
