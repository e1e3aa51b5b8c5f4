import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { expect, test } from "vitest";
import { startWrittenApp } from "../support/apps/written-app.js";
import { hasPostgres15, programs, startPostgres15 } from "../support/database/debian.js";

const descriptors = new Map([
  [
    "goods.yaml",
    `search: { language: norwegian, fields: { name: A, tags: B, category.name: C }, accents: ignore }
fields:
  name: { type: string }
  tags: { type: string, list: true }
  categoryId: { type: belongsTo, resource: categories }
`,
  ],
  ["categories.yaml", "fields: { name: { type: string } }\n"],
]);

test.skipIf(!hasPostgres15)(
  "a database with a search is restored from pg_dump, with its triggers",
  async () => {
    const server = await startPostgres15();
    const dump = join(tmpdir(), `search-${process.pid}.sql`);
    const app = await startWrittenApp({ descriptors, databaseUrl: server.url });
    try {
      const ada = await app.caller(null);
      const category = await ada.client.post<{ id: string }>("/categories", { name: "Båter" });
      const values = { name: "Café", tags: ["rød"], categoryId: category.body.id };
      expect((await ada.client.post("/goods", values)).status).toBe(201);
      const restored = server.url.replace(/postgres$/, "restored");
      await execa(`${programs}/pg_dump`, ["-d", server.url, "-f", dump]);
      await execa(`${programs}/psql`, ["-d", server.url, "-c", "create database restored"]);
      await execa(`${programs}/psql`, ["-d", restored, "-v", "ON_ERROR_STOP=1", "-f", dump]);

      const db = new pg.Client({ connectionString: restored });
      await db.connect();
      const found = async (search: string) => {
        const query = JSON.stringify([
          [{ text: search, quoted: false, not: false, prefix: false }],
        ]);
        const { rowCount } = await db.query(
          `select from service.goods__words
           where vector @@ (select prefixed from service.word_queries('goods', '{0}', $1))`,
          [query],
        );
        return rowCount;
      };
      expect([await found("cafe"), await found("båten"), await found("rød")]).toEqual([1, 1, 1]);
      await db.query(
        `insert into goods (id, name, category_id)
         select gen_random_uuid(), 'Crème brûlée', id from categories`,
      );
      await db.query("update categories set name = 'Skoger'");
      expect([await found("creme"), await found("båten"), await found("skogene")]).toEqual([
        1, 0, 2,
      ]);
      await db.end();
    } finally {
      await app.close();
      await server.stop();
      rmSync(dump, { force: true });
    }
  },
);
