import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { expect, test } from "vitest";
import { startWrittenApp } from "../support/apps/written-app.js";
import { hasPostgres15, programs, startPostgres15 } from "../support/database/debian.js";
import { uploaded } from "../support/storage/stored.js";

const descriptors = new Map([
  ["products.yaml", "trash: true\nfields: { photos: { type: image, list: true } }\n"],
]);

test.skipIf(!hasPostgres15)(
  "a database with galleries is restored from pg_dump, with its trash and its triggers",
  async () => {
    const server = await startPostgres15();
    const dump = join(tmpdir(), `galleries-${process.pid}.dump`);
    const app = await startWrittenApp({ descriptors, databaseUrl: server.url });
    try {
      const ada = await app.caller(null);
      const photo = async () => (await uploaded(ada.client, "products/photos", "a.png")).key;
      const [a, b, c] = [await photo(), await photo(), await photo()];
      const product = async (photos: readonly string[]) => {
        const { body } = await ada.client.post<{ id: string }>("/products", { photos });
        return body.id;
      };
      const [kept, deleted] = [await product([b, a]), await product([c, b])];
      expect((await ada.client.delete(`/products/${deleted}`)).status).toBe(204);

      const restored = server.url.replace(/postgres$/, "restored");
      await execa(`${programs}/pg_dump`, ["-Fc", "-d", server.url, "-f", dump]);
      await execa(`${programs}/psql`, ["-d", server.url, "-c", "create database restored"]);
      await execa(`${programs}/pg_restore`, ["--exit-on-error", "-d", restored, dump]);

      const db = new pg.Client({ connectionString: restored });
      await db.connect();
      const entries = async (id: string) => {
        const { rows } = await db.query(
          "select target_id as key from products_photos where record_id = $1 order by position",
          [id],
        );
        return rows.map(({ key }) => key);
      };
      expect(await entries(kept)).toEqual([b, a]);
      const { rows } = await db.query("select files from service.trash where id = $1", [deleted]);
      expect(rows).toEqual([{ files: expect.arrayContaining([b, c]) }]);
      await db.query("update products set photos = $2 where id = $1", [kept, [a, c, b]]);
      expect(await entries(kept)).toEqual([a, c, b]);
      await expect(db.query("delete from service.uploads where key = $1", [c])).rejects.toThrow(
        /products_photos__target_id__link/,
      );
      await db.end();
    } finally {
      await app.close();
      await server.stop();
      rmSync(dump, { force: true });
    }
  },
);
