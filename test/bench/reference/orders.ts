import type pg from "pg";
import { v7 } from "uuid";
import { z } from "zod";

/**
 * An order with its lines, as a careful engineer writes it by hand for the two references: one
 * transaction, a prepared statement for the order and one for each line.
 */
export function orders(pool: pg.Pool): (body: unknown) => Promise<object> {
  return async (body) => {
    const [order, ...lines] = newOrder.parse(body).operations;
    if (order === undefined || !("create" in order) || order.create !== "orders") {
      throw new Error("The order comes first");
    }
    const client = await pool.connect();
    try {
      await client.query("begin");
      const { number, customerId, placedAt } = order.values;
      const id = v7();
      const made = await client.query<OrderRow>({
        name: "order",
        text: `insert into orders (id, number, customer_id, placed_at)
          values ($1, $2, $3, $4) returning *`,
        values: [id, number, customerId, placedAt],
      });
      const records: object[] = made.rows.map(orderRecord);
      for (const line of lines) {
        if (line.create !== "order-items") throw new Error("Lines follow");
        const { productId, quantity, unitPrice } = line.values;
        const { rows } = await client.query<LineRow>({
          name: "line",
          text: `insert into order_items (id, order_id, product_id, quantity, unit_price)
            values ($1, $2, $3, $4, $5) returning *`,
          values: [v7(), id, productId, quantity, unitPrice],
        });
        records.push(...rows.map(lineRecord));
      }
      await client.query("commit");
      return { data: records };
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  };
}

const newOrder = z.strictObject({
  operations: z
    .array(
      z.discriminatedUnion("create", [
        z.strictObject({
          create: z.literal("orders"),
          values: z.strictObject({
            number: z.number().int().min(1),
            customerId: z.uuid(),
            placedAt: z.iso.datetime(),
          }),
        }),
        z.strictObject({
          create: z.literal("order-items"),
          values: z.strictObject({
            orderId: z.strictObject({ ref: z.literal(0) }),
            productId: z.uuid(),
            quantity: z.number().int().min(1).max(10_000),
            unitPrice: z.number().min(0),
          }),
        }),
      ]),
    )
    .max(100),
});

interface OrderRow {
  id: string;
  number: number;
  customer_id: string;
  coupon_id: string | null;
  handled_by_id: string | null;
  status: string;
  placed_at: Date;
  shipped_on: string | null;
  gift: boolean | null;
  message: string | null;
  invoice: string | null;
  created_at: Date;
  updated_at: Date;
}

function orderRecord(row: OrderRow) {
  return {
    id: row.id,
    number: row.number,
    customerId: row.customer_id,
    couponId: row.coupon_id,
    handledById: row.handled_by_id,
    status: row.status,
    placedAt: row.placed_at.toISOString(),
    shippedOn: row.shipped_on,
    gift: row.gift,
    message: row.message,
    invoice: row.invoice,
    invoiceFile: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

interface LineRow {
  id: string;
  order_id: string;
  product_id: string;
  quantity: number;
  unit_price: number;
  created_at: Date;
  updated_at: Date;
}

function lineRecord(row: LineRow) {
  return {
    id: row.id,
    orderId: row.order_id,
    productId: row.product_id,
    quantity: row.quantity,
    unitPrice: row.unit_price,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
