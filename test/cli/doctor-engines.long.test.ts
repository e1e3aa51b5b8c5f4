import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { otherEngine } from "../../runtime/migrate/session/engine.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { hasPgbouncer, openPgbouncer } from "../support/database/pgbouncer.js";
import { migratedApp, service } from "./service.js";

test.each([
  [
    "PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit",
    null,
  ],
  ["PostgreSQL 15.2 (EnterpriseDB Advanced Server 15.2.0) on x86_64-pc-linux-gnu", null],
  ["PostgreSQL 15.12-YB-2025.2.2.2-b11 on x86_64-pc-linux-gnu, compiled by clang", "YugabyteDB"],
  ["PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.77467", "Redshift"],
  ["CockroachDB CCL v26.3.0 (x86_64-pc-linux-gnu, built 2026/08/17)", "CockroachDB"],
  ["CrateDB 5.7.2 (built 1a2b3c4/2026, Linux)", "CrateDB"],
])("%s is recognised", (version, engine) => expect(otherEngine(version)).toBe(engine));

describe("doctor reports of a database", () => {
  let root: string;
  let database: TestDatabase;
  let db: pg.Client;
  const role = `reader_${process.pid}`;
  beforeAll(async () => {
    ({ root, database } = await migratedApp());
    db = new pg.Client({ connectionString: database.url });
    await db.connect();
    await db.query(
      `create role ${role} login password 'reader'; grant pg_read_all_data to ${role}`,
    );
  });
  afterAll(async () => {
    await db.query(`drop role ${role}`);
    await db.end();
    await database.drop();
    removeAppFolder(root);
  });

  /** The lines of some checks, with their hints. */
  async function linesOf(checks: RegExp, url = database.url): Promise<readonly string[]> {
    const { stdout } = await service(root, ["doctor"], { env: { DATABASE_URL: url } });
    const lines = stdout.trimEnd().split("\n");
    return lines.filter((line, at) => {
      const own = line.startsWith("  hint: ") ? (lines[at - 1] ?? "") : line;
      return checks.test(/^\w+ +([a-z ]+): /.exec(own)?.[1] ?? "");
    });
  }

  function asReader(url: string): string {
    const address = new URL(url);
    [address.username, address.password] = [role, "reader"];
    return address.href;
  }

  test("that it is read-only", async () => {
    await db.query(`alter role ${role} set default_transaction_read_only = on`);
    expect(await linesOf(/^database$/, asReader(database.url))).toEqual([
      "problem  database: This database does not accept writes",
      "  hint: this is a replica, or was made read-only: DATABASE_URL must name the database that accepts writes",
    ]);
    await db.query(`alter role ${role} reset default_transaction_read_only`);
  });

  test("rights that migrations need and its role lacks", async () => {
    const bare = await emptyDatabase();
    const name = new URL(bare.url).pathname.slice(1);
    expect((await linesOf(/^database$/, asReader(bare.url))).slice(1)).toEqual([
      `problem  database: The role ${role} may not create schemas in the database ${name}`,
      `  hint: run as its owner: grant create on database ${name} to ${role}`,
      `problem  database: The role ${role} may not create tables in the schema public`,
      `  hint: run in that database as its owner: grant usage, create on schema public to ${role}`,
    ]);
    await bare.drop();
    // Once everything is applied, a role that only serves needs neither.
    expect(await linesOf(/^database$/, asReader(database.url))).toHaveLength(1);
  });

  test("who can install the extension that searches need", async () => {
    await db.query("drop extension pg_trgm cascade");
    const warned = "warning  search: tasks: an index is missing, searches read the whole table";
    expect(await linesOf(/^search$/)).toEqual([
      warned,
      expect.stringMatching(/^ {2}hint: run: npx service .*doctor --repair$/),
    ]);
    expect(await linesOf(/^search$/, asReader(database.url))).toEqual([
      warned,
      expect.stringMatching(
        /^ {2}hint: in this database, with a role that may create extensions, run: create/,
      ),
    ]);
    expect(await service(root, ["doctor", "--repair"])).toMatchObject({ exitCode: 0 });
    expect(await linesOf(/^search$/)).toEqual(["ok       search: every search has its index"]);
  });

  test.skipIf(!hasPgbouncer)("that a proxy allows no prepared statements", async () => {
    const proxy = await openPgbouncer(database.url);
    try {
      expect(await linesOf(/^pooling$/)).toEqual([]);
      expect(await linesOf(/^pooling$/, proxy.url)).toEqual([
        "problem  pooling: statements are prepared, but a proxy pools by transaction: they run on connections that did not prepare them",
        expect.stringMatching(/^ {2}hint: set database\.prepare: false in service\.yaml/),
      ]);
      writeFileSync(join(root, "service.yaml"), "database: { prepare: false }\n");
      expect(await linesOf(/^pooling$/, proxy.url)).toEqual([
        "ok       pooling: a proxy pools by transaction; give migrate PostgreSQL's own DATABASE_URL",
      ]);
    } finally {
      await proxy.close();
    }
  });
});
