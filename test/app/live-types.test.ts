import { expect, expectTypeOf, test } from "vitest";
import type {
  Client,
  CursorPage,
  Page,
  Product,
  Tagged,
} from "../../fixtures/apps/market/generated/client.js";
import { live, liveList } from "../../fixtures/apps/market/generated/live.js";

/** Never called: `npm run types` compiles it, and an expected mistake that is none is one itself. */
async function compiled(api: Client, tagged: Client<Tagged>): Promise<void> {
  const watch = {
    products: {
      where: { name: { contains: "tea" }, or: [{ price: { gt: 3 } }] },
      fields: ["name"],
    },
    stockCounts: true,
  } as const;
  for await (const { op, resource, record } of live(tagged, watch, { after: "p" })) {
    if (op === "reset") continue;
    expectTypeOf(resource).toEqualTypeOf<"products" | "stock-counts">();
    if (resource === "stock-counts") {
      expectTypeOf(record?.count).toEqualTypeOf<number | undefined>();
      continue;
    }
    expectTypeOf(record?.name).toEqualTypeOf<string | undefined>();
    // @ts-expect-error: it was not asked for
    record?.price;
  }
  // @ts-expect-error: there is no such resource
  live(api, { baskets: true });
  // @ts-expect-error: nor one beside another
  live(api, { products: true, baskets: true });
  // @ts-expect-error: it has no changes
  live(api, { products: true, categories: true });
  // @ts-expect-error: there is no such field
  live(api, { products: { where: { colour: "red" } } });
  // @ts-expect-error: nor one beside another
  live(api, { products: { where: { name: "red", colour: "red" } } });
  // @ts-expect-error: conditions are on own fields
  live(api, { products: { where: { category: { name: "Tea" } } } });
  // @ts-expect-error: there is no such field to show
  live(api, { products: { fields: ["colour"] } });
  // @ts-expect-error: there is no such option
  live(api, { products: { sort: ["name"] } });

  liveList(api.products, { sort: ["name"] }, (page) => {
    expectTypeOf(page).toEqualTypeOf<Page<Product>>();
  });
  liveList(tagged.products, { fields: ["name"], include: { category: true } }, ({ data }) => {
    expectTypeOf(data[0]?.$tag).toEqualTypeOf<string | undefined>();
    expectTypeOf(data[0]?.category?.name).toEqualTypeOf<string | undefined>();
    // @ts-expect-error: it was not asked for
    data[0]?.price;
  });
  liveList(api.products, { cursor: "" }, (page) => {
    expectTypeOf(page).toEqualTypeOf<CursorPage<Product>>();
  });
  // @ts-expect-error: it has no changes
  liveList(api.categories, {}, () => {});
  // @ts-expect-error: there is no such field
  liveList(api.products, { sort: ["colour"] }, () => {});
  // @ts-expect-error: its lists have no position
  await api.categories.list({ position: true });
}

test("the types describe a stream's options and events", () => {
  expect(compiled).toBeTypeOf("function");
});
