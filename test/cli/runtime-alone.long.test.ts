import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import type { TestDatabase } from "../support/database/database.js";
import { copyApp, generatedApp, migratedApp, type Outcome, plain, repository } from "./service.js";

/** Runs a command of the runtime, where nothing of the tool that generates is installed. */
async function runtime(root: string, args: readonly string[]): Promise<Outcome> {
  const program = join(repository, "runtime/dist/bundle/command.js");
  const options = { env: plain, reject: false, input: "" };
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [program, "-C", root, ...args],
    options,
  );
  return { exitCode, stdout, stderr };
}

const noDatabase = "DATABASE_URL is not set\n  hint: set it to a PostgreSQL address; only ";

describe("without DATABASE_URL", () => {
  let root: string;
  beforeAll(async () => {
    root = await generatedApp();
  });
  afterAll(() => removeAppFolder(root));

  test.each([[["migrate"]], [["export", "tasks"]], [["user", "list"]], [["db", "url"]]])(
    "%j reports it and exits with 1",
    async (args) => {
      expect(await runtime(root, args)).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: expect.stringContaining(noDatabase),
      });
    },
  );

  test("doctor checks the rest", async () => {
    const { exitCode, stdout } = await runtime(root, ["doctor", "--json"]);
    const { findings } = JSON.parse(stdout);
    expect({ exitCode, findings }).toEqual({
      exitCode: 1,
      findings: expect.arrayContaining([
        expect.objectContaining({ check: "node", ok: true }),
        {
          check: "database",
          ok: false,
          problem: "DATABASE_URL is not set",
          fix: expect.stringContaining("set it to a PostgreSQL address"),
        },
      ]),
    });
  });
});

describe("with a database", () => {
  let root: string;
  let database: TestDatabase;
  beforeAll(async () => {
    ({ root, database } = await migratedApp());
    // An image for production may leave them out.
    rmSync(join(root, "resources"), { recursive: true });
    rmSync(join(root, "node_modules"), { recursive: true });
  });
  afterAll(async () => {
    removeAppFolder(root);
    await database.drop();
  });

  test.each([
    [["migrate", "--status"], "applied  migrations/0001_create_tasks.sql\nThe database is"],
    [["export", "tasks", "--format", "json"], "["],
    [["uploads", "reprocess"], "Every picture has the renditions of its profile"],
    [["doctor"], "matches the migrations"],
  ])("%j reads no descriptor", async (args, said) => {
    const { exitCode, stdout, stderr } = await runtime(root, args);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain(said);
  });

  test.each([
    ["is missing", "", "There is no generated/tables.json"],
    ["is not merged", "<<<<<<< ours\n", "generated/tables.json is not JSON"],
  ])("a generated/tables.json that %s is reported", async (_, text, said) => {
    const copy = copyApp(root);
    const tables = join(copy, "generated/tables.json");
    if (text === "") rmSync(tables);
    else writeFileSync(tables, text);
    expect(await runtime(copy, ["export", "tasks"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `${said}\n  hint: run: npx service -C ${copy} generate`,
    });
    removeAppFolder(copy);
  });

  test("an account is deleted", async () => {
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    await db.query(
      "insert into service.users (id, email, name) values (gen_random_uuid(), 'ann@example.com', 'Ann')",
    );
    await db.end();
    expect(await runtime(root, ["user", "delete", "--email", "ann@example.com"])).toEqual({
      exitCode: 0,
      stdout: "ann@example.com is deleted",
      stderr: "",
    });
  });
});

test("the commands that need a compiler or the embedded database do not exist", async () => {
  const namesIn = async (...words: readonly string[]) => {
    const { stdout } = await runtime(".", [...words, "--help"]);
    const names = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
    return names.filter((name) => name !== "help");
  };
  expect(await namesIn("db")).toEqual(["url", "psql"]);
  expect(await namesIn()).toEqual([
    ...["migrate", "dashboard", "doctor", "routes", "jobs", "work", "db", "export", "import"],
    ...["backup", "restore", "seed", "user", "token", "uploads", "search"],
  ]);
  expect(await runtime(".", ["generate"])).toMatchObject({ exitCode: 2 });
});
