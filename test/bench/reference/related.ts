import type pg from "pg";
import { type ProductRow, record } from "./record.js";

/** A row of `categories` as pg parses it, without the long text, which no list of others shows. */
interface CategoryRow {
  id: string;
  name: string;
  position: number;
  visible: boolean | null;
  parent_id: string | null;
  banner: string | null;
  created_at: Date;
  updated_at: Date;
}

type Rows = <Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: unknown[],
) => Promise<Row[]>;

/** The first page of products, each with its category: one join. */
export async function productsWithCategory(rows: Rows): Promise<object> {
  const [counted, found] = await Promise.all([
    rows<{ count: number }>("count all", "select count(*) from products", []),
    rows<ProductRow & Prefixed>(
      "list with category",
      `select p.*, c.name as c_name, c.position as c_position, c.visible as c_visible,
         c.parent_id as c_parent_id, c.banner as c_banner,
         c.created_at as c_created_at, c.updated_at as c_updated_at
       from products p
       join categories c on c.id = p.category_id
       order by p.created_at desc, p.id desc
       limit 25`,
      [],
    ),
  ]);
  const data = found.map((row) => ({ ...record(row), category: shortCategory(categoryOf(row)) }));
  return { data, meta: metaOf(counted) };
}

/** The first page of categories, each with its ten oldest products and whether there are more. */
export async function categoriesWithProducts(rows: Rows): Promise<object> {
  const page = "select * from categories order by created_at desc, id desc limit 25";
  const [counted, found, products] = await Promise.all([
    rows<{ count: number }>("count categories", "select count(*) from categories", []),
    rows<CategoryRow & { summary: string | null }>("categories", page, []),
    rows<ProductRow>(
      "products of categories",
      `select p.id, p.name, p.price, p.stock, p.active, p.status, p.released_on, p.sold_out_at,
         p.category_id, p.image, p.manual, p.created_at, p.updated_at
       from (${page}) as c
       cross join lateral (
         select * from products where category_id = c.id order by created_at, id limit 11
       ) as p`,
      [],
    ),
  ]);
  const byCategory = new Map<string, object[]>();
  for (const product of products) {
    const { description, ...shown } = record(product);
    const own = byCategory.get(product.category_id);
    if (own === undefined) byCategory.set(product.category_id, [shown]);
    else own.push(shown);
  }
  const data = found.map((row) => {
    const own = byCategory.get(row.id) ?? [];
    return { ...category(row), products: { data: own.slice(0, 10), more: own.length > 10 } };
  });
  return { data, meta: metaOf(counted) };
}

type Prefixed = { [Key in Exclude<keyof CategoryRow, "id"> as `c_${Key}`]: CategoryRow[Key] };

function categoryOf(row: ProductRow & Prefixed): CategoryRow {
  return {
    id: row.category_id,
    name: row.c_name,
    position: row.c_position,
    visible: row.c_visible,
    parent_id: row.c_parent_id,
    banner: row.c_banner,
    created_at: row.c_created_at,
    updated_at: row.c_updated_at,
  };
}

function category(row: CategoryRow & { summary: string | null }) {
  const { id, name, ...others } = shortCategory(row);
  return { id, name, summary: row.summary, ...others };
}

function shortCategory(row: CategoryRow) {
  return {
    id: row.id,
    name: row.name,
    position: row.position,
    visible: row.visible,
    parentId: row.parent_id,
    banner: row.banner,
    bannerFile: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function metaOf(counted: readonly { count: number }[]) {
  const total = counted[0]?.count ?? 0;
  return { page: 1, perPage: 25, total, totalPages: Math.ceil(total / 25) };
}
