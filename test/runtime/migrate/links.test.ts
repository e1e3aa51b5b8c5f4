import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type ChangedApp,
  newChangedApp,
  problemText,
  refusalText,
} from "../../support/apps/changed-app.js";
import { uuidOf } from "../../support/apps/known-rows.js";

let app: ChangedApp;

beforeEach(async () => {
  app = await newChangedApp();
});
afterEach(() => app.close());

const tags = "fields: { name: { type: string } }\n";
const [a, b, c] = [uuidOf(1), uuidOf(2), uuidOf(3)];
const [one, two, three] = [uuidOf(11), uuidOf(12), uuidOf(13)];

async function release(
  products: string,
  { others = { tags }, consent = [] }: { others?: object; consent?: readonly string[] } = {},
) {
  const descriptors = new Map(
    Object.entries({ ...(products !== "" && { products }), ...others }).map(([name, text]) => [
      `${name}.yaml`,
      String(text),
    ]),
  );
  const generated = await app.generate(descriptors, consent);
  expect(problemText(generated)).toBe("");
  await app.migrate();
}

async function query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return (await app.client.query(text, [...values])).rows;
}

async function insertTags(table = "tags"): Promise<void> {
  await query(`insert into ${table} (id, name) values ($1, 'a'), ($2, 'b'), ($3, 'c')`, [a, b, c]);
}

/** The lists of the records in their order, which are those of the entries. */
async function listsOf(table: string, column: string): Promise<readonly (readonly string[])[]> {
  const rows = await query<{ list: string[]; entries: string[] }>(
    `select ${column}::text[] as list, array(
      select target_id::text from ${table}_${column} where record_id = own.id order by position
    ) as entries
    from ${table} as own order by id`,
  );
  for (const { list, entries } of rows) expect(entries).toEqual(list);
  return rows.map(({ list }) => list);
}

const linked = "fields: { tagId: { type: belongsTo, resource: tags } }\n";
const required = "fields: { tagId: { type: belongsTo, resource: tags, required: true } }\n";
const listed = "fields: { tagIds: { type: links, resource: tags, was: tagId } }\n";
const listedBefore = "fields: { tagIds: { type: links, resource: tags } }\n";
const linkedAgain = "fields: { tagId: { type: belongsTo, resource: tags, was: tagIds } }\n";

test("a link becomes the only entry of a list, and that of a list a link on the way back", async () => {
  await release(linked);
  await insertTags();
  await query("insert into products (id, tag_id) values ($1, $4), ($2, $5), ($3, null)", [
    ...[one, two, three],
    ...[b, a],
  ]);
  await release(listed);
  expect(await listsOf("products", "tag_ids")).toEqual([[b], [a], []]);
  await query("update products set tag_ids = $2 where id = $1", [one, [c, b]]);
  await query("delete from tags where id = $1", [a]);
  expect(await listsOf("products", "tag_ids")).toEqual([[c, b], [], []]);
  expect(await refusalText(app.undo())).toContain("several elements");
  await query("update products set tag_ids = $2 where id = $1", [one, [c]]);
  await app.undo();
  expect(await query("select tag_id from products order by id")).toEqual([
    { tag_id: c },
    { tag_id: null },
    { tag_id: null },
  ]);
});

test("a required link becomes a list as well, of the same name too", async () => {
  await release(required);
  await insertTags();
  await query("insert into products (id, tag_id) values ($1, $2)", [one, b]);
  await release("fields: { tagId: { type: links, resource: tags, as: tags, required: true } }\n");
  expect(await listsOf("products", "tag_id")).toEqual([[b]]);
});

test("a list that becomes a link keeps its first entry, and asks first", async () => {
  await release(listedBefore);
  await insertTags();
  await query("insert into products (id, tag_ids) values ($1, $4), ($2, $5), ($3, '{}')", [
    ...[one, two, three],
    ...[[c, a], [b]],
  ]);
  const descriptors = new Map([
    ["products.yaml", linkedAgain],
    ["tags.yaml", tags],
  ]);
  const asked = await app.generate(descriptors);
  expect(problemText(asked)).toContain('only the first element of "tagId" would be kept');
  expect(problemText(asked)).toContain("--allow-destructive products.tagId");
  await release(linkedAgain, { consent: ["products.tagIds"] });
  expect(await query("select tag_id from products order by id")).toEqual([
    { tag_id: c },
    { tag_id: b },
    { tag_id: null },
  ]);
  expect(await query("select to_regclass('products_tag_ids') as entries")).toEqual([
    { entries: null },
  ]);
  await query("delete from tags where id = $1", [c]);
  expect(await query("select tag_id from products where id = $1", [one])).toEqual([
    { tag_id: null },
  ]);
});

test("a list that is dropped takes its entries along", async () => {
  await release(listedBefore);
  await insertTags();
  await query("insert into products (id, tag_ids) values ($1, $2)", [one, [c, a]]);
  await release("fields: { name: { type: string } }\n", { consent: ["products.tagIds"] });
  expect(await query("select to_regclass('products_tag_ids') as entries")).toEqual([
    { entries: null },
  ]);
  await query("delete from tags");
});

test("entries follow the names of the field, of its resource and of its target", async () => {
  await release(listedBefore);
  await insertTags();
  await query("insert into products (id, tag_ids) values ($1, $2)", [one, [c, a]]);
  await release("", {
    others: {
      goods:
        "was: products\nfields: { labelIds: { type: links, resource: labels, was: tagIds } }\n",
      labels: `was: tags\n${tags}`,
    },
  });
  expect(await listsOf("goods", "label_ids")).toEqual([[c, a]]);
  await query("update goods set label_ids = $1", [[b, c]]);
  expect(await listsOf("goods", "label_ids")).toEqual([[b, c]]);
  await query("delete from goods_label_ids where target_id = $1", [b]);
  await query("delete from labels where id = $1", [c]);
  expect(await listsOf("goods", "label_ids")).toEqual([[]]);
  await app.undo();
  await query("update products set tag_ids = $1", [[b]]);
  expect(await listsOf("products", "tag_ids")).toEqual([[b]]);
});

test("what is in the trash follows as well", async () => {
  const kept = (fields: string) => `trash: true\nfields: { ${fields} }\n`;
  const others = { tags: `trash: true\n${tags}` };
  await release(kept("tagId: { type: belongsTo, resource: tags }"), { others });
  await insertTags();
  await query("insert into products (id, tag_id) values ($1, $2)", [one, b]);
  await query("delete from products");
  await release(kept("tagIds: { type: links, resource: tags, was: tagId }"), { others });
  await query("insert into products (id, tag_ids) values ($1, $2)", [two, [c, a]]);
  await query("delete from tags where id = $1", [c]);
  await release(kept("labelIds: { type: links, resource: labels, was: tagIds }"), {
    others: { labels: `was: tags\n${others.tags}` },
  });
  await query("select service.restore_trash(mark) from service.trash order by table_name");
  expect(await query("select count(*)::int from service.trash")).toEqual([{ count: 0 }]);
  expect(await listsOf("products", "label_ids")).toEqual([[b], [c, a]]);
});

test("a list that is changed while its entries are added keeps its last value", async () => {
  await release(linked);
  await insertTags();
  await query(
    "insert into products (id, tag_id) select service.uuid_v7(), $1 from generate_series(1, 500)",
    [b],
  );
  await app.generate(
    new Map([
      ["products.yaml", listed],
      ["tags.yaml", tags],
    ]),
  );
  let isDone = false;
  const writer = (async () => {
    let written = 0;
    while (!isDone) {
      try {
        await query(
          "update products set tag_ids = $1 where id in (select id from products limit 20 offset $2)",
          [[c, a], (written * 20) % 500],
        );
      } catch {
        // There is no such column yet.
      }
      written += 1;
    }
  })();
  await app.migrate();
  isDone = true;
  await writer;
  const lists = await listsOf("products", "tag_ids");
  expect(lists).toHaveLength(500);
});
