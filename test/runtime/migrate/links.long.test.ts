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

test("a dropped list loses its entries", async () => {
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

test("a list that refuses deletions follows renames, and can stop refusing them", async () => {
  const peers = (was: string, options: string) =>
    `${was}fields: { peerIds: { type: links, resource: goods${options} } }\n`;
  await release(peers("", ", onDelete: refuse").replace("goods", "products"), { others: {} });
  const insert = (table: string) =>
    query(`insert into ${table} (id, peer_ids) values ($1, $4), ($2, $5), ($3, '{}')`, [
      ...[one, two, three],
      ...[[two], [one, two]],
    ]);
  await release("", { others: { goods: peers("was: products\n", ", onDelete: refuse") } });
  await insert("goods");
  await expect(query("delete from goods where id = $1", [two])).rejects.toThrow();
  await query("delete from goods");
  await release("", { others: { goods: peers("", "") } });
  await insert("goods");
  await query("delete from goods where id = $1", [two]);
  expect(await listsOf("goods", "peer_ids")).toEqual([[], []]);
  const triggers = "select tgname from pg_trigger where tgname like 'B\\_%' escape '\\'";
  expect(await query(triggers)).toEqual([]);
  await app.undo();
  expect(await query(triggers)).toEqual([{ tgname: "B_goods_peer_ids" }]);
  await query("update goods set peer_ids = $1", [[three]]);
  await query("delete from goods");
  await release("", { others: { goods: tags }, consent: ["goods.peerIds"] });
  expect(await query(triggers)).toEqual([]);
});

test("entries in the trash follow as well", async () => {
  const kept = (fields: string) => `trash: true\nfields: { ${fields} }\n`;
  const others = { tags: `trash: true\n${tags}` };
  await release(kept("tagId: { type: belongsTo, resource: tags }"), { others });
  await insertTags();
  await query("insert into products (id, tag_id) values ($1, $2)", [one, b]);
  await query("delete from products");
  const d = uuidOf(4);
  await query("insert into tags (id, name) values ($1, 'd')", [d]);
  await query("insert into products (id, tag_id) values ($1, $2)", [three, d]);
  await query("delete from tags where id = $1", [d]);
  await release(kept("tagIds: { type: links, resource: tags, was: tagId }"), { others });
  await query("insert into products (id, tag_ids) values ($1, $2)", [two, [c, a]]);
  await query("delete from tags where id = $1", [c]);
  await release(kept("labelIds: { type: links, resource: labels, was: tagIds }"), {
    others: { labels: `was: tags\n${others.tags}` },
  });
  await query("select service.restore_trash(mark) from service.trash order by table_name");
  expect(await query("select count(*)::int from service.trash")).toEqual([{ count: 0 }]);
  expect(await listsOf("products", "label_ids")).toEqual([[b], [c, a], [d]]);
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

const pairs = `fields:
  productId: { type: belongsTo, resource: products, required: true, onDelete: cascade }
  tagId: { type: belongsTo, resource: tags, required: true, onDelete: cascade }
`;
const named = "fields: { name: { type: string } }\n";
const taking =
  "fields: { name: { type: string }, tagIds: { type: links, resource: tags, from: product-tags } }\n";

const insertPair =
  "insert into product_tags (id, product_id, tag_id, created_at) values (service.uuid_v7(), $1, $2, $3)";

test("a list takes over the records of a resource, in the order of their creation, each pair once", async () => {
  await release(named, { others: { tags, "product-tags": pairs } });
  await insertTags();
  await query("insert into products (id) values ($1), ($2), ($3)", [one, two, three]);
  for (const [product, tag, day] of [
    [one, a, "2026-01-03"],
    [one, c, "2026-01-01"],
    [one, b, "2026-01-02"],
    [one, c, "2026-01-09"],
    [two, b, "2026-01-01"],
  ]) {
    await query(insertPair, [product, tag, day]);
  }
  await release(taking);
  expect(await listsOf("products", "tag_ids")).toEqual([[c, b, a], [b], []]);
  expect(await query("select to_regclass('product_tags') as pairs")).toEqual([{ pairs: null }]);
  const again = await app.generate(
    new Map([
      ["products.yaml", taking],
      ["tags.yaml", tags],
    ]),
  );
  expect(again).toMatchObject({ problems: [], migration: null });
});

test("other fields of such a resource need consent", async () => {
  const others = { tags, "product-tags": `${pairs}  note: { type: string }\n` };
  await release(named, { others });
  const asked = await app.generate(
    new Map([
      ["products.yaml", taking],
      ["tags.yaml", tags],
    ]),
  );
  expect(problemText(asked)).toContain('the values of "note" would be lost');
  expect(problemText(asked)).toContain("--allow-destructive product-tags.note");
  expect(asked.problems).toHaveLength(1);
  await release(taking, { consent: ["product-tags.note"] });
  expect(await listsOf("products", "tag_ids")).toEqual([]);
});

test("a resource that a list takes over must have one required link to each side, and no descriptor", async () => {
  const others = {
    tags,
    "product-tags": pairs.replace(
      "productId: {",
      "extraId: { type: belongsTo, resource: products, required: true }\n  productId: {",
    ),
  };
  await release(named, { others });
  const withPairs = await app.generate(
    new Map([
      ["products.yaml", taking],
      ["tags.yaml", tags],
      ["product-tags.yaml", others["product-tags"]],
    ]),
  );
  expect(problemText(withPairs)).toContain('1:80: "from" is "product-tags", which still exists');
  const two = await app.generate(
    new Map([
      ["products.yaml", taking],
      ["tags.yaml", tags],
    ]),
  );
  expect(problemText(two)).toContain(
    '"product-tags" must have exactly one required link to products, and one to tags',
  );
});

test("a new resource makes a record of each entry of a list", async () => {
  await release(listedBefore);
  await insertTags();
  await query("insert into products (id, tag_ids) values ($1, $3), ($2, $4)", [
    ...[one, two],
    ...[[c, a, b], [b]],
  ]);
  const back = `from: products.tagIds\n${pairs}  note: { type: string, default: none }\n`;
  const wrong = await app.generate(
    new Map([
      ["products.yaml", listedBefore],
      ["product-tags.yaml", back],
      ["tags.yaml", tags],
    ]),
  );
  expect(problemText(wrong)).toContain(':1:7: "from" is "products.tagIds", which still exists');
  await release(named, { others: { tags, "product-tags": back } });
  const rows = "select product_id, tag_id, note from product_tags order by product_id, created_at";
  expect(await query(rows)).toEqual([
    { product_id: one, tag_id: c, note: "none" },
    { product_id: one, tag_id: a, note: "none" },
    { product_id: one, tag_id: b, note: "none" },
    { product_id: two, tag_id: b, note: "none" },
  ]);
  expect(await query("select to_regclass('products_tag_ids') as entries")).toEqual([
    { entries: null },
  ]);
  await release(taking, { consent: ["product-tags.note"] });
  expect(await listsOf("products", "tag_ids")).toEqual([[c, a, b], [b]]);
});

test("a new resource makes no records of a list of files", async () => {
  await release("fields: { photos: { type: image, list: true } }\n");
  const shots =
    "from: products.photos\nfields:\n  productId: { type: belongsTo, resource: products, required: true }\n  photo: { type: image, required: true }\n";
  const wrong = await app.generate(
    new Map([
      ["products.yaml", "fields: { name: { type: string } }\n"],
      ["shots.yaml", shots],
      ["tags.yaml", tags],
    ]),
  );
  expect(problemText(wrong)).toContain(':1:7: "from" is "products.photos", a list of files');
});

test("a new resource that needs more than the two links is refused", async () => {
  await release(listedBefore);
  const back = `from: products.tagIds\n${pairs}  note: { type: string, required: true }\n`;
  const wrong = await app.generate(
    new Map([
      ["products.yaml", named],
      ["product-tags.yaml", back],
      ["tags.yaml", tags],
    ]),
  );
  expect(problemText(wrong)).toContain('"note" is required and has no default');
});

test("ten thousand records become entries, and records again", async () => {
  await release(named, { others: { tags, "product-tags": pairs } });
  await query(
    `insert into tags (id, name) select service.uuid_v7(), 'tag ' || n from generate_series(1, 100) as n`,
  );
  await query("insert into products (id) select service.uuid_v7() from generate_series(1, 2000)");
  await query(
    `insert into product_tags (id, product_id, tag_id)
    select service.uuid_v7(), products.id, tag.id
    from products
    cross join lateral (select id from tags order by md5(tags.id::text || products.id) limit 5) as tag`,
  );
  await release(taking);
  const all = "select count(*)::int, sum(cardinality(tag_ids))::int as entries from products";
  expect(await query(all)).toEqual([{ count: 2000, entries: 10_000 }]);
  expect(await listsOf("products", "tag_ids")).toHaveLength(2000);
  const lists = await query("select id, tag_ids from products order by id");
  await release(named, { others: { tags, "product-tags": `from: products.tagIds\n${pairs}` } });
  expect(
    await query(
      `select product_id as id, array_agg(tag_id order by created_at) as tag_ids
      from product_tags group by product_id order by product_id`,
    ),
  ).toEqual(lists);
}, 120_000);

test("a searched link stays searched as a list, and as a link again", async () => {
  const search = (field: string) => `search: { fields: { ${field}: A } }\n`;
  const found = async (word: string) => {
    const text = "select id from service.products__words where vector @@ $1::tsquery order by id";
    return (await query<{ id: string }>(text, [word])).map(({ id }) => id);
  };
  await release(search("tag.name") + linked);
  await insertTags();
  await query("insert into products (id, tag_id) values ($1, $2), ($3, null)", [one, a, two]);
  expect(await found("a")).toEqual([one]);

  await release(search("tags.name") + listed);
  expect(await found("a")).toEqual([one]);
  await query("update products set tag_ids = $1", [[b, a]]);
  expect(await found("a & b")).toEqual([one, two]);
  await query("update tags set name = 'green' where id = $1", [b]);
  expect([await found("green"), await found("b")]).toEqual([[one, two], []]);

  await release(search("tag.name") + linkedAgain, { consent: ["products.tagIds"] });
  expect([await found("green"), await found("a")]).toEqual([[one, two], []]);
  await query("update tags set name = 'blue' where id = $1", [b]);
  expect(await found("blue")).toEqual([one, two]);
  await query("update products set tag_id = $1 where id = $2", [c, one]);
  expect([await found("c"), await found("blue")]).toEqual([[one], [two]]);
});
