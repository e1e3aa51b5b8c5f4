import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { expect, test } from "vitest";
import { uuidOf } from "../support/apps/known-rows.js";
import { startWrittenApp } from "../support/apps/written-app.js";
import { hasPostgres15, programs, startPostgres15 } from "../support/database/debian.js";
import { dump } from "../support/database/dump.js";

const descriptors = new Map([
  [
    "products.yaml",
    `trash: true
fields:
  name: { type: string }
  sizes: { type: string, list: true, distinct: true, maxItems: 3, index: true }
  papers: { type: file, list: true }
  details: { type: json, index: true }
  tagIds: { type: links, resource: tags, onDelete: refuse }
  relatedIds: { type: links, resource: products }
  title: { type: string, computed: "upper(name)", index: true }
`,
  ],
  ["tags.yaml", "trash: true\nfields: { name: { type: string } }\n"],
]);

test.skipIf(!hasPostgres15)(
  "a database with lists, links and JSON is restored by pg_restore, with its triggers",
  async () => {
    const server = await startPostgres15();
    const file = join(tmpdir(), `lists-${process.pid}.dump`);
    const app = await startWrittenApp({ descriptors, databaseUrl: server.url });
    const [a, b, one, two, three] = [1, 2, 11, 12, 13].map(uuidOf);
    try {
      await app.db.query("insert into tags (id, name) values ($1, 'a'), ($2, 'b')", [a, b]);
      await app.db.query(
        `insert into products (id, name, sizes, details, tag_ids, related_ids)
         values ($1, 'Tea', '{M,"x,|y"}', '{"a": [1]}', $3, $4), ($2, 'Cup', '{}', null, $5, '{}')`,
        [one, two, [b, a], [two, one], [a]],
      );
      await app.db.query("delete from products where id = $1", [two]);
      const restored = server.url.replace(/postgres$/, "restored");
      await execa(`${programs}/pg_dump`, ["-d", server.url, "-Fc", "-f", file]);
      await execa(`${programs}/psql`, ["-d", server.url, "-c", "create database restored"]);
      await execa(`${programs}/pg_restore`, ["-d", restored, "--exit-on-error", file]);
      expect(await dump(restored)).toEqual(await dump(server.url));

      const db = new pg.Client({ connectionString: restored });
      await db.connect();
      const rows = async (text: string) => (await db.query(text)).rows;
      const entries =
        "select record_id, target_id from products_tag_ids order by record_id, position";
      expect(await rows(entries)).toEqual([
        { record_id: one, target_id: b },
        { record_id: one, target_id: a },
      ]);
      await db.query("select service.restore_trash(mark) from service.trash");
      await db.query("insert into products (id, tag_ids, sizes) values ($1, $2, '{S}')", [
        three,
        [b],
      ]);
      await db.query("update products set tag_ids = $1 where id = $2", [[a], one]);
      expect(await rows(entries)).toEqual([
        { record_id: one, target_id: a },
        { record_id: two, target_id: a },
        { record_id: three, target_id: b },
      ]);
      expect(
        await rows("select related_ids::text[] as list from products order by id limit 1"),
      ).toEqual([{ list: [two, one] }]);
      await expect(db.query("delete from tags where id = $1", [a])).rejects.toThrow("foreign key");
      await expect(db.query(`update products set sizes = '{S,S}'`)).rejects.toThrow("check");
      await db.end();
    } finally {
      await app.close();
      await server.stop();
      rmSync(file, { force: true });
    }
  },
);
