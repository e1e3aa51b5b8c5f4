import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { createDatabase } from "../support/database/database.js";
import { putEmbeddedData } from "../support/database/embedded-data.js";
import { program, service, starterApp } from "./service.js";

let root: string;

beforeAll(async () => {
  root = await starterApp();
});
afterAll(() => removeAppFolder(root));

/** Nothing of whoever runs the tests. */
const noDefaults = Object.fromEntries(
  ["HOST", "PORT", "USER", "PASSWORD", "DATABASE"]
    .map((name) => [`PG${name}`, ""])
    .concat([["USER", ""]]),
);

async function ask(url: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test("url prints the address of the embedded database, and whether it runs", async () => {
  const silent = await service(root, ["db", "url"]);
  expect(silent.exitCode).toBe(0);
  expect(silent.stdout).toMatch(/^postgres:\/\/service:[\w-]+@127\.0\.0\.1:\d+\/app/);
  expect(silent.stderr).toContain("is not running");
  const embedded = await startEmbedded({ root });
  try {
    const running = await service(root, ["db", "url"]);
    expect(running).toMatchObject({ exitCode: 0, stdout: embedded.url, stderr: "" });
    expect(await ask(running.stdout, "select 1 as one")).toEqual([{ one: 1 }]);
  } finally {
    await embedded.stop();
  }
});

test("url prints the configured address, and its parts as JSON", async () => {
  const url = "postgres://ann:sesame@db.example:6543/shop";
  const env = { DATABASE_URL: url };
  expect((await service(root, ["db", "url"], { env })).stdout).toBe(url);
  const { stdout } = await service(root, ["db", "url", "--json"], { env });
  expect(JSON.parse(stdout)).toEqual({
    url,
    host: "db.example",
    port: 6543,
    user: "ann",
    database: "shop",
    embedded: false,
  });
});

test("url completes the address from the environment, as the server does", async () => {
  const database = await createDatabase();
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const defaults = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
    // Only libpq would go there.
    PGHOSTADDR: "192.0.2.1",
    PGSERVICE: "nowhere",
  };
  try {
    const shorts = [
      "postgres:///",
      `postgres://${hostname}`,
      `postgres:///${pathname.slice(1)}?host=${hostname}&uselibpqcompat=true`,
      `postgres://${username}@/${pathname.slice(1)}?host=${hostname}&port=${port}&statement_timeout=60000`,
    ];
    for (const short of shorts) {
      const env = { ...defaults, DATABASE_URL: short };
      const { exitCode, stdout } = await service(root, ["db", "url"], { env });
      expect(exitCode).toBe(0);
      expect(await ask(stdout, "select current_database() as name")).toEqual([
        { name: pathname.slice(1) },
      ]);
      const plainly = { PGPASSWORD: undefined, PGUSER: undefined, PGDATABASE: undefined };
      const psql = await execa("psql", [stdout, "-Atc", "select current_database()"], {
        env: { ...plainly, PGHOST: undefined, PGPORT: undefined },
        reject: false,
      });
      expect(psql).toMatchObject({ stdout: pathname.slice(1), stderr: "" });
      const own = await service(root, ["db", "psql", "-c", "select 40 + 2"], { env });
      expect(own).toMatchObject({ exitCode: 0, stderr: "" });
      expect(own.stdout).toContain("42");
    }
  } finally {
    await database.drop();
  }
});

const addresses: readonly (readonly [string, string])[] = [
  [
    "postgres://bob@db.example/shop?sslmode=no-verify&application_name=my%20app&max=3",
    "postgres://bob@db.example:5432/shop?sslmode=require&application_name=my%20app",
  ],
  [
    "postgres:///shop?host=/var/run/postgresql",
    "postgres://ann@%2Fvar%2Frun%2Fpostgresql:5432/shop",
  ],
  ["postgres://bob:a%40b@/shop?host=/s", "postgres://bob:a%40b@%2Fs:5432/shop"],
  ["postgres://db.example", "postgres://ann@db.example:5432/ann"],
  ["postgres://bob@[::1]/shop", "postgres://bob@[::1]/shop"],
  ["postgres://[::1]:6543/shop", "postgres://ann@[::1]:6543/shop"],
  [
    "postgres://bob@db.example/shop?sslmode=require&sslrootcert=missing.pem",
    "postgres://bob@db.example/shop?sslmode=require&sslrootcert=missing.pem",
  ],
  ["postgres://bob:a%2Fb%3F@db.example/shop", "postgres://bob:a%2Fb%3F@db.example/shop"],
];

test.for(addresses)("url prints %s as %s", async ([url, complete]) => {
  const env = { ...noDefaults, USER: "ann", DATABASE_URL: url };
  const found = await service(root, ["db", "url"], { env });
  expect(found).toMatchObject({ exitCode: 0, stdout: complete, stderr: "" });
});

test("url and psql refuse an address without a user if the environment names none", async () => {
  const env = { ...noDefaults, DATABASE_URL: "postgres://db.example/shop" };
  for (const args of [["url"], ["psql", "-c", "select 1"]]) {
    expect(await service(root, ["db", ...args], { env })).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr:
        "The address of the database has no user, and neither PGUSER nor USER is set\n  hint: write it as postgres://user@host/name",
    });
  }
});

test("an embedded database that cannot be started ends them with 1 and its reason", async () => {
  const broken = await starterApp();
  await putEmbeddedData(broken);
  const path = join(broken, ".service/database.json");
  const record = () => readFileSync(path, "utf8");
  try {
    expect((await service(broken, ["db", "psql", "-c", "select 1"])).exitCode).toBe(0);
    const { data } = JSON.parse(record());
    writeFileSync(join(resolve(broken, data), "PG_VERSION"), "9.6\n");
    for (const args of [
      ["psql", "-c", "select 1"],
      ["reset", "--yes"],
    ]) {
      const { exitCode, stdout, stderr } = await service(broken, ["db", ...args]);
      expect([exitCode, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^The embedded PostgreSQL does not start\..*\n {2}hint: /s);
    }
    const whole = record();
    writeFileSync(path, "{");
    for (const args of [["url"], ["psql", "-c", "select 1"]]) {
      const { exitCode, stdout, stderr } = await service(broken, ["db", ...args]);
      expect([exitCode, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/database\.json cannot be read.*\n {2}hint: it holds the password/s);
    }
    writeFileSync(path, whole);
  } finally {
    removeAppFolder(broken);
  }
});

test("psql runs a statement, with psql and without", async () => {
  const args = ["db", "psql", "--command", "select 40 + 2 as answer"];
  const database = await createDatabase();
  try {
    for (const path of [process.env.PATH ?? "", "/nowhere"]) {
      const env = { DATABASE_URL: database.url, PATH: path };
      const { exitCode, stdout } = await service(root, args, { env });
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/answer.*42/s);
      const wrong = await service(root, ["db", "psql", "-c", "selec"], { env });
      expect(wrong.exitCode).toBe(1);
      expect(wrong.stderr).toContain('syntax error at or near "selec"');
    }
  } finally {
    await database.drop();
  }
});

test("the built-in prompt reads statements from standard input", async () => {
  const database = await createDatabase();
  const env = { DATABASE_URL: database.url, PATH: "/nowhere" };
  try {
    const input =
      "create table t (id int, name text);\ninsert into t\nvalues (1, null), (2, 'b');\nselect * from t order by id";
    const done = await service(root, ["db", "psql"], { env, input });
    expect(done).toMatchObject({
      exitCode: 0,
      stdout: "CREATE\nINSERT 2\nid  name\n1\n2   b\n(2 rows)",
      stderr: "",
    });
    const wrong = await service(root, ["db", "psql"], { env, input: "nonsense;\ndrop table t;\n" });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain('ERROR: syntax error at or near "nonsense"');
    expect(await ask(database.url, "select count(*)::int as rows from t")).toEqual([{ rows: 2 }]);
  } finally {
    await database.drop();
  }
});

test("reset empties the embedded database after confirmation", async () => {
  const embedded = await startEmbedded({ root });
  try {
    await ask(embedded.url, "create table kept (id int)");
    const unasked = await service(root, ["db", "reset"]);
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain("confirm it with --yes");
    expect(await ask(embedded.url, "select * from kept")).toEqual([]);
    const { exitCode, stdout } = await service(root, ["db", "reset", "--yes"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("The embedded database is empty");
    expect(await ask(embedded.url, "select to_regclass('kept') as found")).toEqual([
      { found: null },
    ]);
  } finally {
    await embedded.stop();
  }
});

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!hasTerminal)("reset asks for the app's name on a terminal", async () => {
  const command = `${process.execPath} ${program} -C ${root} db reset`;
  const answer = (input: string) =>
    execa("script", ["-qec", command, "/dev/null"], { input, reject: false });
  const wrong = await answer("another\n");
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stdout).toContain("That is not the app's name; nothing was deleted");
  const name = /Type the app's name \((.+?)\)/.exec(wrong.stdout)?.[1] ?? "";
  const right = await answer(`${name}\n`);
  expect(right.exitCode).toBe(0);
  expect(right.stdout).toContain("The embedded database is empty");
});

test.skipIf(!hasTerminal)("the small prompt echoes typed text on a terminal", async () => {
  const database = await createDatabase();
  const prompt = `${new URL(database.url).pathname.slice(1)} => `;
  try {
    for (const end of ["\\q", "exit", "quit"]) {
      // `script` itself is found in the usual place; the command in it finds no psql.
      const command = `env PATH=/nowhere ${process.execPath} ${program} -C ${root} db psql`;
      const env = { DATABASE_URL: database.url };
      const terminal = execa("script", ["-qec", command, "/dev/null"], { env, reject: false });
      let seen = "";
      terminal.stdout.on("data", (chunk) => {
        seen += String(chunk);
      });
      const type = async (line: string) => {
        await expect.poll(() => seen).toMatch(/[=-]> \S*$/);
        seen = "";
        terminal.stdin.write(line);
        await expect.poll(() => seen).toContain(line);
        seen = "";
        terminal.stdin.write("\r");
      };
      await type("\\dt");
      await type("select 40 +");
      await type("2 as answer;");
      await type(end);
      const { exitCode, stdout } = await terminal;
      expect(exitCode).toBe(0);
      expect(stdout).toContain(prompt);
      expect(stdout).toContain("this prompt supports only \\q; for the rest install psql");
      expect(stdout).toMatch(/answer\s+42/);
    }
  } finally {
    await database.drop();
  }
});

test("reset refuses a database that is not embedded", async () => {
  const database = await createDatabase();
  const env = { DATABASE_URL: database.url };
  const { exitCode, stderr } = await service(root, ["db", "reset", "--yes"], { env });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Only the embedded database can be reset");
  await database.drop();
});
