import type pg from "pg";
import { hitCounts, rareWord, searchWords, words } from "./words.js";

/**
 * Fills `products`, oldest first, one for each minute until this one, and leaves the table as if they
 * had been written one by one. What would be done a million times is done once: secondary indexes
 * are taken away and made again, and foreign keys, which hold by the way the rows are made, are not
 * checked. Other triggers fire as always.
 */
export async function insertProducts(db: pg.Client, products: number): Promise<void> {
  await db.query("set maintenance_work_mem = '512MB'; set work_mem = '256MB'");
  await insertCategories(db);
  await insertWords(db);
  await withoutIndexes(db, async () => {
    // `all` takes the triggers of foreign keys in, `user` does not: theirs alone stay off.
    await db.query("alter table products disable trigger all");
    await db.query("alter table products enable trigger user");
    for (let from = 1; from <= products; from += batch) {
      const to = Math.min(from + batch - 1, products);
      await db.query(insertion, [from, to, products, rareWord, words.length, ...searched]);
    }
    await db.query("alter table products enable trigger all");
  });
}

/** A trigger that looks at all rows of a statement keeps them in memory. */
const batch = 100_000;

async function insertCategories(db: pg.Client): Promise<void> {
  await db.query(
    `insert into categories (id, name)
     select uuidv7(), 'Category ' || n
     from generate_series(1, 50) as n`,
  );
}

async function insertWords(db: pg.Client): Promise<void> {
  await db.query(
    "create temporary table category as select id, row_number() over () from categories",
  );
  await db.query(
    "create temporary table word as select * from unnest($1::text[]) with ordinality",
    [words],
  );
  await db.query("alter table word rename unnest to word; analyze word; analyze category");
  await db.query("select setseed(0.5)");
}

/** Squaring a random number makes some words much more frequent than others. */
const picked = "1 + floor($5::integer * random() ^ 2)::bigint";

/** The words with known numbers of hits, group by group. */
const searched = hitCounts.map((hits) => searchWords(hits));

/** The words of a group in turn, so many for each row `n` that every word gets its hits in a million rows. */
function wordsInTurn(hits: number, at: number): string {
  const before = (n: string) => `((${n})::bigint * ${hits} + 9999) / 10000`;
  return `(
      select string_agg(($${at}::text[])[1 + k % 100], ' ')
      from generate_series(${before("n")}, ${before("n + 1")} - 1) as k
    )`;
}

const searchable = hitCounts.map((hits, at) => wordsInTurn(hits, 6 + at)).join(",\n    ");

const insertion = `
  insert into products
    (id, name, description, price, stock, active, status, category_id, created_at, updated_at)
  select
    uuidv7(at - now()),
    concat_ws(
      ' ',
      case when n % 100000 = 777 then $4 end,
      initcap(one.word),
      two.word,
      three.word,
      ${searchable},
      n
    ),
    'A ' || one.word || ' made of ' || three.word || ', in ' || two.word || ' and other colours',
    n % 900 + 0.5,
    n % 1000,
    n % 20 <> 0,
    (array['draft', 'live', 'gone'])[n % 3 + 1],
    category.id,
    at,
    at
  from (
    select
      n,
      now() - ($3::integer - n) * interval '1 minute' as at,
      ${picked} as first,
      ${picked} as second,
      ${picked} as third,
      1 + n % 50 as kind
    from generate_series($1::integer, $2::integer) as n
  ) as drawn
  join word as one on one.ordinality = first
  join word as two on two.ordinality = second
  join word as three on three.ordinality = third
  join category on category.row_number = kind
  order by n`;

/** Takes the table's secondary indexes away for the time of the work; constraints keep theirs. */
async function withoutIndexes(db: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = 'products'::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await db.query(definition);
}
