import { expect } from "vitest";
import { created, openShop, paths, type Shop } from "./shop.js";

/** The shop with one record of each resource that has interesting fields, as paths. */
export interface Fields {
  readonly shop: Shop;
  readonly product: string;
  readonly customer: string;
  readonly order: string;
  readonly promotion: string;
  readonly coupon: string;
  readonly review: string;
  /** Sends one field and expects it stored: as sent, or as `stored` says. */
  takes(path: string, field: string, value: unknown, stored?: unknown): Promise<void>;
  /** Sends one field with each value and expects a 422 that names it. */
  refuses(path: string, field: string, values: readonly unknown[]): Promise<void>;
}

export async function openFields(): Promise<Fields> {
  const shop = await openShop();
  const { admin } = shop;
  const { id: productId } = await created(admin, "products", shop.product("Lamp"));
  const person = { name: "Ann", email: "a@b.example" };
  const { id: customerId } = await created(admin, "customers", person);
  const placed = { number: 1, customerId, placedAt: "2025-01-01T00:00:00Z" };
  const written = { productId, rating: 5, body: "Good enough." };

  async function takes(path: string, field: string, value: unknown, stored = value) {
    const reply = await admin.patch(path, { [field]: value });
    expect(reply.status, `${field}: ${JSON.stringify(value)} ${reply.text}`).toBe(200);
    expect(reply.body[field]).toEqual(stored);
    expect((await admin.get(path)).body[field]).toEqual(stored);
  }

  async function refuses(path: string, field: string, values: readonly unknown[]) {
    for (const value of values) {
      const reply = await admin.patch(path, { [field]: value });
      expect(reply.status, `${field}: ${JSON.stringify(value)} ${reply.text}`).toBe(422);
      expect(paths(reply)).toEqual([field]);
    }
  }

  return {
    shop,
    product: `/products/${productId}`,
    customer: `/customers/${customerId}`,
    order: `/orders/${(await created(admin, "orders", placed)).id}`,
    promotion: `/promotions/${(await created(admin, "promotions", { slot: "home", productId })).id}`,
    coupon: `/coupons/${(await created(admin, "coupons", { code: "CODE" })).id}`,
    review: `/reviews/${(await created(admin, "reviews", written)).id}`,
    takes,
    refuses,
  };
}
