import pg from "pg";

// int8 and numeric, which pg leaves as text; date, which it would make a Date of the local time zone.
for (const oid of [20, 1700]) pg.types.setTypeParser(oid, Number);
pg.types.setTypeParser(1082, String);

/** A row of `products` as pg parses it. */
export interface ProductRow {
  id: string;
  name: string;
  description: string | null;
  price: number;
  stock: number | null;
  active: boolean;
  status: string;
  released_on: string | null;
  sold_out_at: Date | null;
  category_id: string;
  image: string | null;
  manual: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The row as the contract shows it. */
export function record(row: ProductRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: row.price,
    stock: row.stock,
    active: row.active,
    status: row.status,
    releasedOn: row.released_on,
    soldOutAt: row.sold_out_at?.toISOString() ?? null,
    categoryId: row.category_id,
    image: row.image,
    imageFile: null,
    manual: row.manual,
    manualFile: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
