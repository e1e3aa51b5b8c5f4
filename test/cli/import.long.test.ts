import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { createDatabase, type TestDatabase } from "../support/database/database.js";
import { atTerminal, hasTerminal } from "../support/processes/terminal.js";
import { localTools } from "../support/processes/tools.js";
import { generatedApp, type Outcome, plain, program, service } from "./service.js";

const server = `
import { createApp } from "./generated/app.js";

console.log("printed by the app's own code");
const app = await createApp({
  hooks: { notes: { afterCreate: ({ id }) => void console.log("after", app.url, id) } },
});
await app.listen();
`.replace("app.url", "typeof app");

const categories = "fields: { name: { type: string, required: true, unique: true } }\n";
const products = `
fields:
  name: { type: string, required: true, unique: true }
  price: { type: number, decimals: 2, required: true }
  categoryId: { type: belongsTo, resource: categories }
`;

const appointments = `
fields:
  title: { type: string, required: true }
  hours: { type: number }
  status: { type: enum, values: [open, closed] }
  startsAt: { type: timestamp }
  source: { type: string }
`;

let root: string;
let files: string;
let database: TestDatabase;
let db: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  root = await generatedApp();
  files = join(root, "files");
  mkdirSync(files);
  writeFileSync(join(root, "resources/categories.yaml"), categories);
  writeFileSync(join(root, "resources/products.yaml"), products);
  writeFileSync(join(root, "resources/appointments.yaml"), appointments);
  writeFileSync(join(root, "resources/notes.yaml"), "fields: { text: { type: string } }\n");
  writeFileSync(join(root, "server.ts"), server);
});
afterAll(async () => {
  await db.end();
  await database.drop();
  removeAppFolder(root);
});

/** So that nothing of this machine is used. */
const env = () => ({
  DATABASE_URL: database.url,
  SERVICE_SECRET: "a secret of the tests, long enough",
});

function imported(args: readonly string[]): Promise<Outcome> {
  return service(root, ["import", ...args], { env: env() });
}

function file(name: string, text: string): string {
  const path = join(files, name);
  writeFileSync(path, text);
  return path;
}

test("the built app stores the rows; the result is one object, everything else on standard error", async () => {
  expect(await service(root, ["generate"], { env: env() })).toMatchObject({ exitCode: 0 });
  const csv = file("categories.csv", "name\nTea\n");
  await execa("tsc", [], { ...localTools, cwd: root });
  expect(await imported(["categories", csv, "--json"])).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await service(root, ["migrate"], { env: env() })).toMatchObject({ exitCode: 0 });
  const { exitCode, stdout } = await imported(["categories", csv, "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    ...{ resource: "categories", from: 1, rows: 1, created: 1, updated: 0, refused: 0 },
    ...{ errors: [], more: 0, errorsFile: null },
  });
  const again = await imported(["categories", csv]);
  expect(again).toMatchObject({ exitCode: 1, stdout: "" });
  expect(again.stderr).toContain("row 1, line 2, name: Another record has this value");
  expect(again.stderr).toContain("nothing was stored");
  const wrong = await imported(["categories", file("wrong.csv", "nome\nTea\n"), "--json"]);
  expect(wrong.exitCode).toBe(1);
  expect(JSON.parse(wrong.stdout)).toMatchObject({
    errors: [{ row: 0, line: 1, column: "nome" }, {}],
  });
  const unknown = await imported(["categorie", csv, "--json"]);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unknown.stderr).toContain('did you mean "categories"?');
});

test("standard input is read, hooks may use the app, and killing an import with stop leaves nothing", async () => {
  const notes = async () => (await db.query("select text from notes order by id")).rows;
  const from = (input: string) =>
    execa(process.execPath, [program, "-C", root, "import", "notes", "-", "--format", "ndjson"], {
      env: { ...plain, ...env() },
      input,
      reject: false,
    });
  const { exitCode, stderr } = await from('{"text":"one"}\n{"text":null}\n');
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/after object/);
  expect(await notes()).toEqual([{ text: "one" }, { text: null }]);
  const cut = execa(
    process.execPath,
    [program, "-C", root, "import", "notes", "-", "--format", "ndjson"],
    {
      env: { ...plain, ...env() },
      reject: false,
    },
  );
  cut.stdin.write('{"text":"two"}\n'.repeat(5_000));
  const isAtWork = `select count(*)::int as n from pg_stat_activity
     where state = 'idle in transaction' and datname = current_database()`;
  await expect.poll(async () => (await db.query(isAtWork)).rows[0].n).toBe(1);
  // The command cannot tell the app to end.
  cut.kill("SIGKILL");
  await cut;
  await expect.poll(async () => (await db.query(isAtWork)).rows[0].n).toBe(0);
  expect(await notes()).toHaveLength(2);
});

test("the commands of the page run unchanged", async () => {
  file("teas.csv", "Name,Price,Category\nGreen,4.50,Tea\nBlack,3,Coffee\n");
  file("prices.ndjson", '{"name":"Green","price":5}\n{"name":"White","price":6}\n');
  const npx = `npx() { shift; "${process.execPath}" "${program}" -C "${root}" "$@"; }`;
  const run = (commands: string) =>
    execa("bash", ["-c", `${npx}\n${commands}`], { cwd: files, env: { ...plain, ...env() } });
  await db.query("insert into categories (name) values ('Coffee') on conflict do nothing");
  const { stdout } = await run(block("docs/data", "Import"));
  expect(JSON.parse(stdout)).toMatchObject({ created: 1, updated: 1 });
  const rows = await db.query("select name, price from products order by name");
  expect(rows.rows).toEqual([
    { name: "Black", price: "3.00" },
    { name: "Green", price: "5.00" },
    { name: "White", price: "6.00" },
  ]);
  const csv = "Tittel;Timer;status;Dato;Klokkeslett\r\nMåle;1,5;Åpen;31.01.2026;10:30\r\n;;;;\r\n";
  writeFileSync(join(files, "avtaler.csv"), Buffer.from(csv, "latin1"));
  await run(block("docs/data", "Files of other programs"));
  const stored = await db.query(
    "select title, hours, status, service.iso_time(starts_at) as starts, source from appointments",
  );
  const [title, starts] = ["Måle", "2026-01-31T09:30:00.000Z"];
  expect(stored.rows).toEqual([{ title, hours: 1.5, status: "open", starts, source: "excel" }]);
  // What export writes, import reads: equal, with ids and times.
  const all = join(files, "all.csv");
  const exported = ["-C", root, "export", "products", "--output", all];
  await execa(process.execPath, [program, ...exported], { env: { ...plain, ...env() } });
  const before = readFileSync(all, "utf8");
  await db.query("truncate products");
  expect(await imported(["products", all])).toMatchObject({ exitCode: 0 });
  await execa(process.execPath, [program, ...exported], { env: { ...plain, ...env() } });
  expect(readFileSync(all, "utf8")).toBe(before);
});

test("a killed import with skip continues with --resume: no row is duplicated or lost", async () => {
  const rows = Array.from(
    { length: 40_000 },
    (_, at) => `Killed ${at % 20_011 === 20_010 ? 0 : at}`,
  );
  const csv = file("killed.csv", `name\n${rows.join("\n")}\n`);
  const args = ["import", "categories", csv, "--on-error", "skip", "--json"];
  const marked = async () => {
    const found = await db.query("select rows, is_done from service.imports where path = $1", [
      csv,
    ]);
    return { rows: Number(found.rows[0]?.rows ?? 0), isDone: found.rows[0]?.is_done === true };
  };
  for (let kills = 0; kills < 2; kills += 1) {
    const before = (await marked()).rows;
    const resume = kills === 0 ? [] : ["--resume"];
    const child = execa(process.execPath, [program, "-C", root, ...args, ...resume], {
      env: { ...plain, ...env() },
      reject: false,
    });
    await expect.poll(async () => (await marked()).rows, { interval: 20 }).toBeGreaterThan(before);
    const { pid = 0 } = child;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    for (const one of [...children.map(Number), pid]) process.kill(one, "SIGKILL");
    await child;
  }
  const { rows: at, isDone } = await marked();
  expect(isDone).toBe(false);
  expect(await imported(args.slice(1))).toMatchObject({ exitCode: 1, stdout: "" });
  const end = await imported([...args.slice(1), "--resume"]);
  expect(end.exitCode).toBe(1);
  expect(JSON.parse(end.stdout)).toMatchObject({ from: at + 1, rows: 40_000 - at });
  const stored = await db.query(
    "select count(*)::int as n from categories where name like 'Killed%'",
  );
  expect(stored.rows[0].n).toBe(39_999);
  expect(statSync(`${csv}.errors.csv`).mode & 0o777).toBe(0o600);
  const refused = readFileSync(`${csv}.errors.csv`, "utf8").trim().split("\r\n");
  expect(refused).toEqual([
    "_row,_line,_column,_message,name",
    "20011,20012,name,Another record has this value,Killed 0",
  ]);
  expect(await imported([...args.slice(1), "--resume"])).toMatchObject({ exitCode: 0 });
});

test.skipIf(!hasTerminal)(
  "at a terminal one line shows the progress, with rows a second and time left",
  async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `Shown ${at}`);
    const csv = file("shown.csv", `name\n${rows.join("\n")}\n`);
    const command = [
      process.execPath,
      program,
      "-C",
      root,
      "import",
      "categories",
      csv,
      "--dry-run",
    ];
    const { exitCode, output } = await atTerminal(command.join(" "), [], {
      env: { ...plain, ...env() },
    });
    expect(exitCode).toBe(0);
    // The line is cleared before each report.
    expect(output.split("\u001b[2K")).toContainEqual(
      expect.stringMatching(/^\d+ rows, \d+\/s, \d+ s left$/),
    );
    expect(output).toContain("60000 rows of categories: 60000 created");
  },
);

test("the built app stores the seed of the page, and reports every mistake in it", async () => {
  const seed = join(root, "seed");
  mkdirSync(seed, { recursive: true });
  writeFileSync(join(seed, "products.yaml"), block("docs/data", "Seed"));
  await db.query("truncate products");
  const npx = `npx() { shift; "${process.execPath}" "${program}" -C "${root}" "$@"; }`;
  const run = () => {
    const commands = `${npx}\n${block("docs/data", "Seed", 2)}`;
    return execa("bash", ["-c", commands], { env: { ...plain, ...env() } });
  };
  const { stdout, stderr } = await run();
  expect(stderr).toContain("products: 2 created, 0 updated, 0 unchanged\n");
  expect(JSON.parse(stdout)).toEqual({
    resources: { products: { created: 0, updated: 0, unchanged: 2 } },
    files: 0,
  });
  writeFileSync(join(seed, "products.yaml"), "key: name\nrecords:\n  - { name: 7 }\n");
  const wrong = await service(root, ["seed", "--json"], { env: env() });
  expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
  expect(wrong.stderr).toContain("seed/products.yaml:3:13: name: Must be text\n");
  expect(wrong.stderr).toContain("; nothing was stored");
});
