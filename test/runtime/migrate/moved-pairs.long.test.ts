import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChangedApp, newChangedApp, problemText } from "../../support/apps/changed-app.js";
import { uuidOf } from "../../support/apps/known-rows.js";

let app: ChangedApp;

beforeEach(async () => {
  app = await newChangedApp();
});
afterEach(() => app.close());

const [a, b, c] = [uuidOf(1), uuidOf(2), uuidOf(3)];
const [one, two, three] = [uuidOf(11), uuidOf(12), uuidOf(13)];

async function release(
  descriptors: Readonly<Record<string, string>>,
  consent: readonly string[] = [],
) {
  expect(problemText(await app.generate(filesOf(descriptors), consent))).toBe("");
  await app.migrate();
}

function filesOf(descriptors: Readonly<Record<string, string>>) {
  return new Map(Object.entries(descriptors).map(([name, text]) => [`${name}.yaml`, text]));
}

async function query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return (await app.client.query(text, [...values])).rows;
}

// Columns of entries and of pairs have the same names.
const fields = "name: { type: string }, recordId: { type: string }, targetId: { type: string }";
const named = (trash = "") => `${trash}fields: { ${fields} }\n`;
const listing = (trash = "", from = "") =>
  `${trash}fields: { ${fields}, tagIds: { type: links, resource: tags${from} } }\n`;
const pairs = (trash = "") => `${trash}fields:
  productId: { type: belongsTo, resource: products, required: true, onDelete: cascade }
  tagId: { type: belongsTo, resource: tags, required: true, onDelete: cascade }
`;
const taking = ", from: product-tags";
const given = "from: products.tagIds\n";
const kept = "trash: true\n";

const insertPair =
  "insert into product_tags (id, product_id, tag_id, created_at) values (service.uuid_v7(), $1, $2, $3)";

async function insertRecords(): Promise<void> {
  await query("insert into tags (id, name) values ($1, 'a'), ($2, 'b'), ($3, 'c')", [a, b, c]);
  await query("insert into products (id) values ($1), ($2), ($3)", [one, two, three]);
}

/**
 * Runs statements as a server of the former release would, right before the first statement of the migration that contains
 * the text. Returns the SQL states of those that fail.
 */
async function beforeStatement(text: string, statements: readonly string[]) {
  const attempts = statements.map(
    (statement) => `begin
      execute '${statement.replaceAll("'", "''")}';
      insert into probe.results (state) values ('done');
    exception when others then
      insert into probe.results (state) values (sqlstate);
    end;`,
  );
  await query("create schema probe");
  await query("create table probe.results (at serial, state text)");
  await query(`create function probe.run() returns event_trigger language plpgsql as $probe$
    begin
      if position('${text}' in current_query()) > 0 and not exists (select from probe.results) then
        ${attempts.join("\n")}
      end if;
    end
  $probe$`);
  await query("create event trigger probe on ddl_command_start execute function probe.run()");
  return async () => {
    await query("drop event trigger probe");
    const rows = await query<{ state: string }>("select state from probe.results order by at");
    return rows.map(({ state }) => state);
  };
}

describe("changes by servers of the previous release between the last copy and the drop", () => {
  test("of records that have become entries are refused, except deletions by cascade", async () => {
    await release({ products: named(), tags: named(), "product-tags": pairs() });
    await insertRecords();
    for (const [product, tag] of [
      [one, a],
      [one, b],
      [two, a],
      [three, c],
    ]) {
      await query(insertPair, [product, tag, "2026-01-01"]);
    }
    const results = await beforeStatement("drop table product_tags", [
      `insert into product_tags (id, product_id, tag_id) values (service.uuid_v7(), '${one}', '${c}')`,
      `delete from product_tags where product_id = '${one}' and tag_id = '${a}'`,
      `update product_tags set tag_id = '${c}' where product_id = '${two}'`,
      "truncate product_tags",
      `delete from products where id = '${three}'`,
    ]);
    await release({ products: listing("", taking), tags: named() });
    expect(await results()).toEqual([...Array<string>(4).fill("55P03"), "done"]);
    expect(await query("select tag_ids::text[] from products order by id")).toEqual([
      { tag_ids: [a, b] },
      { tag_ids: [a] },
    ]);
  });

  test.each([
    ["drop table products_tag_ids", "55P03"],
    ["drop column tag_ids", "42P01"],
  ])("of entries that have become records are refused (%s)", async (statement, ofEntries) => {
    await release({ products: listing(), tags: named() });
    await insertRecords();
    await query("update products set tag_ids = $1", [[c, a]]);
    const results = await beforeStatement(statement, [
      `update products set tag_ids = tag_ids || '${b}'::uuid where id = '${one}'`,
      `insert into products (id, tag_ids) values ('${uuidOf(14)}', array['${b}'::uuid])`,
      `insert into products_tag_ids (record_id, target_id, position) values ('${one}', '${b}', 3)`,
      `delete from products_tag_ids where record_id = '${one}' and target_id = '${a}'`,
      "truncate products_tag_ids",
      `update products set name = 'Tea' where id = '${two}'`,
      `insert into products (id) values ('${uuidOf(15)}')`,
      `delete from products where id = '${three}'`,
      `delete from tags where id = '${c}'`,
    ]);
    await release({ products: named(), tags: named(), "product-tags": given + pairs() });
    expect(await results()).toEqual([
      ...["55P03", "55P03", ofEntries, ofEntries, ofEntries],
      ...["done", "done", "done", "done"],
    ]);
    expect(await query("select product_id, tag_id from product_tags order by product_id")).toEqual([
      { product_id: one, tag_id: a },
      { product_id: two, tag_id: a },
    ]);
    await query("update products set name = 'Coffee'");
  });
});

describe("the trash", () => {
  const restore = "select service.restore_trash(mark) from service.trash where id = $1";
  const consent = ["product-tags.trash"];

  test("has the lists of records whose pairs were deleted with them", async () => {
    await release({ products: named(kept), tags: named(kept), "product-tags": pairs(kept) });
    await insertRecords();
    for (const [product, tag, day] of [
      [one, b, "2026-01-01"],
      [one, a, "2026-01-02"],
      [one, c, "2026-01-03"],
      [two, a, "2026-01-01"],
      [two, c, "2026-01-02"],
      [two, b, "2026-01-03"],
      [two, b, "2026-01-04"],
    ]) {
      await query(insertPair, [product, tag, day]);
    }
    await query("delete from product_tags where product_id = $1 and tag_id = $2", [one, c]);
    await query("delete from products where id = $1", [one]);
    await query("delete from tags where id = $1", [c]);
    const descriptors = { products: listing(kept, taking), tags: named(kept) };
    expect(problemText(await app.generate(filesOf(descriptors)))).toContain(
      "product-tags: the records in its trash would be lost",
    );
    await release(descriptors, consent);
    for (const id of [one, c]) await query(restore, [id]);
    expect(await query("select table_name from service.trash")).toEqual([]);
    expect(await query("select id, tag_ids::text[] from products order by id")).toEqual([
      { id: one, tag_ids: [b, a] },
      { id: two, tag_ids: [a, c, b] },
      { id: three, tag_ids: [] },
    ]);
  });

  test("has an empty list of each record without pairs", async () => {
    const shops = "trash: true\nfields: { name: { type: string } }\n";
    const inShop = (list: string) =>
      `${kept}fields:
  shopId: { type: belongsTo, resource: shops, required: true, onDelete: cascade }
${list}`;
    await release({ shops, products: inShop(""), tags: named(kept), "product-tags": pairs(kept) });
    const shop = uuidOf(21);
    await query("insert into shops (id) values ($1)", [shop]);
    await query("insert into tags (id) values ($1)", [a]);
    await query("insert into products (id, shop_id) values ($1, $3), ($2, $3)", [one, two, shop]);
    await query(insertPair, [one, a, "2026-01-01"]);
    await query("delete from shops");
    const tagIds = `  tagIds: { type: links, resource: tags${taking} }\n`;
    await release({ shops, products: inShop(tagIds), tags: named(kept) }, consent);
    const [restored] = await query<object>(restore, [shop]);
    expect(restored).toEqual({ restore_trash: null });
    expect(await query("select id, tag_ids::text[] from products order by id")).toEqual([
      { id: one, tag_ids: [a] },
      { id: two, tag_ids: [] },
    ]);
  });

  test("has the records that lists have become, in the order of each list", async () => {
    await release({ products: listing(kept), tags: named(kept) });
    await insertRecords();
    await query("update products set tag_ids = $1", [[c, a, b]]);
    await query("delete from products where id = $1", [one]);
    await query("delete from tags where id = $1", [c]);
    await query("delete from products where id = $1", [two]);
    await release({
      ...{ products: named(kept), tags: named(kept) },
      "product-tags": given + pairs(kept),
    });
    // A record is restored after what it needs, which was deleted later.
    for (const id of [two, c, one]) await query(restore, [id]);
    expect(await query("select table_name from service.trash")).toEqual([]);
    const rows = await query<{ product_id: string; tag_id: string }>(
      "select product_id, tag_id from product_tags order by product_id, created_at, id",
    );
    const tagsOf = (id: string) =>
      rows.filter((row) => row.product_id === id).map((row) => row.tag_id);
    expect(tagsOf(one)).toEqual([c, a, b]);
    expect(new Set(tagsOf(two))).toEqual(new Set([a, b, c]));
    expect(new Set(tagsOf(three))).toEqual(new Set([a, b, c]));
  });

  test("loses lists whose new resource has none, with consent", async () => {
    await release({ products: listing(kept), tags: named() });
    const descriptors = {
      ...{ products: named(kept), tags: named() },
      "product-tags": given + pairs().replaceAll(", onDelete: cascade", ""),
    };
    expect(problemText(await app.generate(filesOf(descriptors)))).toContain(
      'the lists "tagIds" of records in the trash would be lost',
    );
    await release(descriptors, ["products.tagIds"]);
  });
});
