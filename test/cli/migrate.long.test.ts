import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { generatedApp, service } from "./service.js";

let root: string;
let database: TestDatabase;

beforeEach(async () => {
  root = await generatedApp();
  database = await emptyDatabase();
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
});

const ofPackage = { source: "package", name: "0001_accounts" };
const ofApp = { source: "app", name: "0001_create_tasks" };

test("applies the package's migrations, then the app's, once", async () => {
  const first = await service(root, ["migrate", "--json"]);
  expect(first.exitCode).toBe(0);
  const { applied, pending } = JSON.parse(first.stdout);
  expect(pending).toEqual([]);
  expect(applied).toContainEqual(ofPackage);
  expect(applied.at(-1)).toEqual(ofApp);
  const second = await service(root, ["migrate"]);
  expect(second.stdout).toBe("The database is up to date");
});

test("--status shows by its exit status whether a migration is pending", async () => {
  const before = await service(root, ["migrate", "--status"]);
  expect(before.exitCode).toBe(1);
  expect(before.stdout).toContain("pending  migrations/0001_create_tasks.sql");
  await service(root, ["migrate"]);
  const after = await service(root, ["migrate", "--status", "--json"]);
  expect(after.exitCode).toBe(0);
  expect(JSON.parse(after.stdout).pending).toEqual([]);
});

test("--dry-run applies nothing", async () => {
  const { exitCode, stdout } = await service(root, ["migrate", "--dry-run"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("would apply  migrations/0001_create_tasks.sql");
  expect((await service(root, ["migrate", "--status"])).exitCode).toBe(1);
});

test("--dry-run prints SQL, and with --json the SQL of each", async () => {
  await service(root, ["migrate"]);
  const nothing = await service(root, ["migrate", "--dry-run"]);
  expect(nothing).toMatchObject({ exitCode: 0, stdout: "-- There is nothing to apply" });
  write("0002_more", "-- @transaction", "create table more ();");
  const { stdout } = await service(root, ["migrate", "--dry-run"]);
  expect(stdout).toBe(
    "-- would apply  migrations/0002_more.sql\n\n-- @transaction\ncreate table more ();\n",
  );
  const json = await service(root, ["migrate", "--dry-run", "--json"]);
  expect(JSON.parse(json.stdout)).toEqual({
    applied: [],
    pending: [
      { source: "app", name: "0002_more", sql: "-- @transaction\ncreate table more ();\n" },
    ],
  });
});

test("reports each step only with --verbose, and a half-finished migration", async () => {
  write("0002_more", "-- @transaction", "create table more ();", "-- @transaction", "selec 1;");
  const first = await service(root, ["migrate", "--verbose"]);
  expect(first.exitCode).toBe(1);
  expect(first.stderr.slice(first.stderr.indexOf("applying migrations/0002_more"))).toBe(
    [
      "applying migrations/0002_more.sql (1 of 2: transaction)",
      "applying migrations/0002_more.sql (2 of 2: transaction)",
      'migrations/0002_more.sql:4: syntax error at or near "selec"',
      `  hint: what is done of this file stays; fix this step and run npx service -C ${root} migrate again: it continues from here`,
    ].join("\n"),
  );
  const status = await service(root, ["migrate", "--status"]);
  expect(status.exitCode).toBe(1);
  expect(status.stdout).toContain("pending  migrations/0002_more.sql, partly done (1 of 2 steps)");
  write("0002_more", "-- @transaction", "create table more ();", "-- @transaction", "select 1;");
  const second = await service(root, ["migrate"]);
  expect(second).toMatchObject({
    stdout: "applied  migrations/0002_more.sql\n1 migration applied",
    stderr: "",
  });
});

test("--down undoes, --to names the last migration to keep, and a dry run prints the SQL", async () => {
  for (const name of ["0002_two", "0003_three"]) {
    write(name, `create table "${name}" ();`);
    write(`down/${name}`, `drop table "${name}";`);
  }
  await service(root, ["migrate"]);
  const dry = await service(root, ["migrate", "--down", "--to", "0002", "--dry-run"]);
  expect(dry.stdout).toBe('-- would undo  migrations/0003_three.sql\n\ndrop table "0003_three";\n');
  const one = await service(root, ["migrate", "--down"]);
  expect(one.stdout).toBe("undone  migrations/0003_three.sql\n1 migration undone");
  const rest = await service(root, ["migrate", "--down", "--to", "0001", "--json"]);
  expect(JSON.parse(rest.stdout)).toEqual({
    undone: [{ source: "app", name: "0002_two" }],
    toUndo: [],
  });
  const nothing = await service(root, ["migrate", "--down", "--to", "0001"]);
  expect(nothing).toMatchObject({ exitCode: 0, stdout: "There is nothing to undo" });
  const still = await service(root, ["migrate", "--down", "--to", "0001", "--dry-run"]);
  expect(still).toMatchObject({ exitCode: 0, stdout: "-- There is nothing to undo" });
});

test.each([
  [["--to", "0001"], "--to needs --down"],
  [["--status", "--down"], "'--status' cannot be used with option '--down'"],
  [["--forget", "0002", "--down"], "'--forget <migration>' cannot be used with option '--down'"],
])("refuses %j as a usage error", async (args, words) => {
  const { exitCode, stderr } = await service(root, ["migrate", ...args]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
});

test("refuses a file that was changed after it was applied", async () => {
  await service(root, ["migrate"]);
  appendFileSync(join(root, "migrations/0001_create_tasks.sql"), "-- afterthought\n");
  const { exitCode, stderr } = await service(root, ["migrate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("migrations/0001_create_tasks.sql was changed after it was applied");
});

describe("migrations that cannot be trusted", () => {
  const rename = (to: string) => ({
    changes: [
      { kind: "renameColumn", table: "tasks", column: "title", to: { name: to, field: to } },
    ],
  });

  test("of merged branches that contradict each other are refused, and nothing is applied", async () => {
    for (const [name, to] of [
      ["0002_ours", "name"],
      ["0002_theirs", "label"],
    ] as const) {
      write(name, `alter table tasks rename column title to ${to};`);
      writeFileSync(join(root, `migrations/${name}.json`), JSON.stringify(rename(to)));
    }
    const { exitCode, stderr } = await service(root, ["migrate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'migrations/0002_theirs.json:1:1: This migration changes the column "title" of "tasks", which migrations/0002_ours.json already renames',
    );
    expect(stderr).toContain("1 problem; nothing was applied");
    const check = await service(root, ["generate", "--check"]);
    expect(check.exitCode).toBe(1);
    expect(check.stderr).toContain("which migrations/0002_ours.json already renames");
    rmSync(join(root, "migrations/0002_theirs.sql"));
    rmSync(join(root, "migrations/0002_theirs.json"));
    expect((await service(root, ["migrate", "--status"])).stdout).not.toContain("applied");
  });

  test("are refused if they contradict each other in the order of this database", async () => {
    const record = (name: string, change: object) => {
      writeFileSync(join(root, `migrations/${name}.json`), JSON.stringify({ changes: [change] }));
    };
    const of = { table: "tasks", column: "title" };
    write("0003_label", "alter table tasks rename column title to label;");
    record("0003_label", { kind: "renameColumn", ...of, to: { name: "label", field: "label" } });
    expect((await service(root, ["migrate"])).exitCode).toBe(0);
    // By name it comes before that and makes sense; this database would have it after.
    write("0002_default", "alter table tasks alter column title set default 'x';");
    record("0002_default", { kind: "setDefault", ...of, from: null, to: "'x'" });
    const { exitCode, stderr } = await service(root, ["migrate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('changes the column "title" of "tasks"');
    expect(stderr).toContain("nothing was applied");
  });

  test("are reported with the file that is not applied yet", async () => {
    const record = (name: string, to: string) =>
      writeFileSync(join(root, `migrations/${name}.json`), JSON.stringify(rename(to)));
    write("0002_theirs", "alter table tasks rename column title to label;");
    record("0002_theirs", "label");
    expect((await service(root, ["migrate"])).exitCode).toBe(0);
    write("0002_ours", "alter table tasks rename column title to name;");
    record("0002_ours", "name");
    const files =
      "migrations/0002_ours.sql, migrations/0002_ours.json and migrations/down/0002_ours.sql";
    const generated = await service(root, ["generate"]);
    expect(generated.stderr).toContain(files);
    expect(generated.stderr).toContain("migrations/0002_theirs.json and migrations/down/");
    expect(generated.stderr).toContain("whichever is not applied yet");
    for (const args of [["migrate"], ["migrate", "--status"]]) {
      const { exitCode, stderr } = await service(root, args);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(
        `delete ${files}, which is not applied yet, then run: npx service -C ${root} generate`,
      );
      expect(stderr).not.toContain("down/0002_theirs.sql");
    }
    const status = await service(root, ["migrate", "--status"]);
    expect(status.stdout).toContain("applied  migrations/0002_theirs.sql\n");
    expect(status.stdout).toContain("pending  migrations/0002_ours.sql");
  });

  test("are reported together with an unreachable database", async () => {
    rmSync(join(root, "migrations/0001_create_tasks.json"));
    write("0002_odd", "-- @nothing", "select 1;");
    writeFileSync(join(root, "migrations/0003_none.json"), "{}");
    writeFileSync(join(root, ".env"), "");
    writeFileSync(join(root, "service.yaml"), `database: { url: "\${MY_URL}" }\n`);
    for (const args of [["migrate"], ["migrate", "--status"], ["migrate", "--dry-run"]]) {
      const { exitCode, stderr } = await service(root, args);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`database.url needs \${MY_URL}, which is not set`);
      expect(stderr).toContain("migrations/0003_none.sql:1:1: This migration is missing");
      expect(stderr).toContain("migrations/0002_odd.sql:1: @nothing is not a directive");
    }
  });

  test("are refused if one is missing", async () => {
    rmSync(join(root, "migrations/0001_create_tasks.sql"));
    const { exitCode, stderr } = await service(root, ["migrate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("migrations/0001_create_tasks.sql:1:1: This migration is missing");
  });

  test("are reported by a warning if only the snapshot was edited", async () => {
    appendFileSync(join(root, "migrations/schema.json"), "\n");
    const { exitCode, stderr } = await service(root, ["migrate"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("migrations/schema.json does not match the migrations");
  });

  test("are not checked for if SQL was deployed without its records", async () => {
    rmSync(join(root, "migrations/0001_create_tasks.json"));
    rmSync(join(root, "migrations/schema.json"));
    expect(await service(root, ["migrate"])).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

test.each([["migrate"], ["doctor"], ["user", "list"], ["uploads", "prune"]])(
  "an address of an unset variable is refused by its name: service %s %s",
  async (...args) => {
    writeFileSync(join(root, ".env"), "");
    writeFileSync(join(root, "service.yaml"), `database: { url: "\${MY_URL}" }\n`);
    const { exitCode, stdout, stderr } = await service(root, args);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain(`database.url needs \${MY_URL}, which is not set`);
    expect(existsSync(join(root, ".service/database.json"))).toBe(false);
  },
);

test("a bad database.url hides no other mistake of service.yaml", async () => {
  writeFileSync(join(root, ".env"), "");
  writeFileSync(join(root, "service.yaml"), "database: { url: mysql://x }\nserver: { prot: 1 }\n");
  const { exitCode, stderr } = await service(root, ["migrate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("service.yaml:1:18: database.url must be");
  expect(stderr).toContain("service.yaml:2:11: server.prot is not a setting");
});

test("needs DATABASE_URL only, also in production, and creates no secret", async () => {
  writeFileSync(join(root, "service.yaml"), "mailer: { driver: smtp }\n");
  const env = { NODE_ENV: "production" };
  expect((await service(root, ["migrate"], { env })).exitCode).toBe(0);
  for (const name of ["secret", "database.json"]) {
    expect(existsSync(join(root, ".service", name)), name).toBe(false);
  }
});

test("reports a database that cannot be reached or named", async () => {
  const env = { DATABASE_URL: "postgres://nobody:none@127.0.0.1:9/none" };
  const unreachable = await service(root, ["migrate"], { env });
  expect(unreachable.exitCode).toBe(1);
  expect(unreachable.stderr).toContain("The database cannot be reached");
  expect(unreachable.stderr).toMatch(
    /\n {2}hint: check DATABASE_URL, and that PostgreSQL is running at that address$/,
  );
  // The password is taken to end at its @, and the host at its slash.
  const cut = { DATABASE_URL: "postgres://me:p@ss.invalid/word@127.0.0.1/app" };
  const lost = await service(root, ["migrate"], { env: cut });
  expect(lost.stderr).toMatch(/^The database cannot be reached: getaddrinfo \w+ \(the host is not/);
  expect(lost.stderr).not.toMatch(/ss\.invalid|\/word/);
  expect(lost.stderr).toMatch(
    /\n {2}hint: check the host in DATABASE_URL; .*percent-encode the password/,
  );
  const wrong = await service(root, ["migrate"], { env: { DATABASE_URL: "mysql://x" } });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toContain("DATABASE_URL must be an address that begins with postgres://");
});

function write(name: string, ...lines: readonly string[]): void {
  const path = join(root, "migrations", `${name}.sql`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}
