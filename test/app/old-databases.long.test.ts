import { readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportLine } from "../../generator/adopt/model/adoption.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { allRows, oldDatabase, runStatements } from "../support/adopt/old-program.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { dump } from "../support/database/dump.js";
import type { Client, Row } from "../support/http/client.js";

interface Case {
  readonly name: string;
  readonly accounts: string | null;
  /** A list, and the values of its first record that a user looks for. */
  readonly list: readonly [string, object];
  /** A create, and its status. */
  readonly create: readonly [string, object, number];
}

const cases: readonly Case[] = [
  {
    name: "rails",
    accounts: "public.users",
    list: ["/products?sort=id", { title: "Green tea", price: 12.5, tags: ["green", "loose"] }],
    create: ["/categories", { name: "Coffee" }, 201],
  },
  {
    name: "django",
    accounts: "auth_user",
    list: ["/library-book?sort=title", { title: "Beowulf", pages: null, language: "en" }],
    create: ["/library-genre", { name: "Drama", slug: "drama" }, 201],
  },
  {
    name: "laravel",
    accounts: "users",
    list: ["/posts?sort=id", { title: "Hello", status: "published", rating: 4.5 }],
    create: ["/posts", { userId: "1", title: "By the API", slug: "api", body: "Text" }, 201],
  },
  {
    name: "wordpress",
    accounts: "wp_users",
    list: ["/wp-posts?sort=id", { postTitle: "Hello world", postStatus: "publish" }],
    create: ["/wp-terms", { name: "Essays", slug: "essays" }, 201],
  },
  {
    name: "pagila",
    accounts: null,
    list: ["/film?sort=id", { title: "ACADEMY DINOSAUR", releaseYear: 2012, rating: "PG" }],
    create: ["/category", { name: "Comedy" }, 201],
  },
  {
    name: "adventureworks",
    accounts: null,
    list: ["/product?sort=id", { name: "Road-150 Red, 62", listPrice: 3578.27, makeFlag: true }],
    create: ["/product-category", { name: "Components" }, 201],
  },
];

describe.each(cases)("the database of $name", ({ name, accounts, list, create }) => {
  const old = oldDatabase(name);
  let database: TestDatabase;
  /** The same without the app. */
  let other: TestDatabase;
  let before: readonly string[];
  let adopted: Awaited<ReturnType<typeof adoptedFiles>>;
  let app: WrittenApp;
  let admin: Client;

  beforeAll(async () => {
    database = await emptyDatabase();
    other = await emptyDatabase();
    await withClient(other, (client) => client.query(old.schema));
    before = await dump(other.url);
    adopted = await adoptedFiles(database.url, old.schema, { accounts, timezone: "UTC" });
    app = await startWrittenApp({ ...adopted, databaseUrl: database.url });
    ({ client: admin } = await app.caller("admin"));
  });
  afterAll(async () => {
    await app?.close();
    await database?.drop();
    await other?.drop();
  });

  test("the report and the descriptors are those that were reviewed", async () => {
    const resources = join(old.folder, "resources");
    await expect(reportText(adopted.report)).toMatchFileSnapshot(join(old.folder, "report.txt"));
    for (const [file, text] of adopted.descriptors) {
      await expect(text).toMatchFileSnapshot(join(resources, file));
    }
    expect([...adopted.descriptors.keys()].sort()).toEqual(readdirSync(resources).sort());
  });

  test("a list shows their rows", async () => {
    const [path, values] = list;
    const found = await admin.list(path);
    expect(found.status, found.text).toBe(200);
    expect(found.body.data[0]).toMatchObject(values);
  });

  test("the old program's statements answer as before, and totals follow them", async () => {
    const alone = await withClient(other, async (client) => {
      const answers = await runStatements(client, old.statements);
      return { answers, rows: await allRows(client) };
    });
    const beside = await withClient(database, async (client) => {
      const answers = await runStatements(client, old.statements);
      return { answers, rows: await allRows(client) };
    });
    expect(beside).toEqual(alone);
    for (const { resource, table } of tablesOf(adopted.descriptors)) {
      const [row] = await app.db.query<{ rows: number }>(
        `select count(*)::int as rows from ${table}`,
      );
      const { status, body, text } = await admin.list(`/${resource}?perPage=1`);
      expect(status, text).toBe(200);
      expect([resource, body.meta.total]).toEqual([resource, row?.rows]);
    }
  });

  test("a create adds a row, or is closed where no field writes a column", async () => {
    const [path, body, status] = create;
    const made = await admin.post<Row>(path, body);
    expect(made.status, made.text).toBe(status);
    if (status !== 201) return;
    expect(made.body).toMatchObject(body);
    const deleted = await admin.delete(`${path}/${made.body.id}`);
    expect(deleted.status, deleted.text).toBe(204);
  });

  test("nothing of the tables is altered but triggers, and the column of the accounts", async () => {
    const isOurs = (line: string) => /tally_|account_id|service\./.test(line);
    const after = (await dump(database.url)).filter((line) => !isOurs(line));
    expect(before.filter((line) => !after.includes(line))).toEqual([]);
  });
});

async function withClient<T>({ url }: TestDatabase, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** As `service adopt` prints it. */
function reportText(report: readonly ReportLine[]): string {
  const lines = report.map(({ table, column, taken, kind, why, way }) => {
    const place = column === null ? table : `${table}.${column}`;
    const hint = way === null ? "" : `\n  hint: ${way}`;
    return `${{ true: "remark", false: "left out", "read-only": "read-only" }[String(taken) as "true"]}  ${place}: ${why} (${kind})${hint}\n`;
  });
  return lines.join("");
}

function tablesOf(descriptors: ReadonlyMap<string, string>) {
  return [...descriptors].map(([file, text]) => {
    const resource = file.replace(/\.yaml$/, "");
    const table = /^table: (.*)$/m.exec(text)?.[1] ?? resource.replaceAll("-", "_");
    return { resource, table: pg.escapeIdentifier(table.replace(/^"|"$/g, "")) };
  });
}
