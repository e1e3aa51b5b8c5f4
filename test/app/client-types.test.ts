import type * as library from "@simplewebauthn/server";
import { expect, expectTypeOf, test } from "vitest";
import type { MethodsOf } from "../../fixtures/apps/shop/generated/client/runtime.js";
import {
  type Client,
  createClient,
  type FileDetails,
  isApiError,
  type Ref,
} from "../../fixtures/apps/shop/generated/client.js";

/** Never called: passkeys have the types of SimpleWebAuthn, which `fixtures/web` compares with those of `lib.dom`. */
async function withPasskeys(
  { auth }: Client,
  made: library.RegistrationResponseJSON,
  shown: library.AuthenticationResponseJSON,
): Promise<void> {
  const creation = await auth.addPasskeyOptions();
  expectTypeOf(creation).toExtend<library.PublicKeyCredentialCreationOptionsJSON>();
  const request = await auth.passkeyOptions();
  expectTypeOf(request).toExtend<library.PublicKeyCredentialRequestOptionsJSON>();
  await auth.addPasskey({ credential: made });
  await auth.signInWithPasskey({ credential: shown });
  // @ts-expect-error: what `create` returns is no sign-in
  await auth.signInWithPasskey({ credential: made });
}

/** Never called: `npm run types` compiles it, and an expected mistake that is none is one itself. */
async function compiled(api: Client, error: unknown): Promise<void> {
  const tea = await api.products.get("1");
  expectTypeOf(tea.price).toEqualTypeOf<number>();
  expectTypeOf(tea.imageFile).toEqualTypeOf<FileDetails | null>();
  // @ts-expect-error: it was not included
  tea.category;

  const part = await api.products.get("1", { fields: ["name"], include: { category: true } });
  expectTypeOf(part.name).toEqualTypeOf<string>();
  expectTypeOf(part.category?.name).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: it was not asked for
  part.price;

  const { data: orders } = await api.orders.list({
    include: {
      items: {
        fields: ["quantity"],
        where: { product: { name: "Tea" } },
        count: true,
        include: { product: { fields: ["name"], include: { category: true } } },
      },
      customer: { include: { orders: { perPage: 0 } } },
    },
  });
  const [order] = orders;
  const [item] = order?.items.data ?? [];
  expectTypeOf(order?.items.count).toEqualTypeOf<number | undefined>();
  expectTypeOf(item?.quantity).toEqualTypeOf<number | undefined>();
  expectTypeOf(item?.product?.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(item?.product?.category?.position).toEqualTypeOf<number | undefined>();
  expectTypeOf(order?.customer?.orders).toEqualTypeOf<{ count: number } | undefined>();
  // @ts-expect-error: it was not asked for
  item?.unitPrice;
  // @ts-expect-error: it was not asked for
  item?.product?.price;
  // @ts-expect-error: they are only counted
  order?.customer?.orders.data;
  // @ts-expect-error: an account includes nothing
  await api.orders.list({ include: { handledBy: { include: { orders: true } } } });
  await api.orders.list({
    // @ts-expect-error: no such link of a product
    include: { items: { include: { product: { include: { shelf: true } } } } },
  });
  await api.orders.list({
    // @ts-expect-error: no such link beside one that there is
    include: { items: { include: { product: true, shelf: true } } },
  });
  // @ts-expect-error: a link has no pages
  await api.orders.list({ include: { customer: { perPage: 3 } } });

  const groups = await api.orders.aggregate({
    by: ["customerId", "placedAt:month"],
    distinct: ["couponId", "customer.level"],
    include: { customer: { fields: ["name"] } },
  });
  const [group] = groups.data;
  expectTypeOf(group?.by.placedAt).toEqualTypeOf<string | number | boolean | null | undefined>();
  expectTypeOf(group?.by.customer?.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(group?.distinct).toEqualTypeOf<Record<string, number> | undefined>();
  // @ts-expect-error: it was not grouped by
  group?.by.status;
  // @ts-expect-error: a long text
  await api.orders.aggregate({ by: ["message"] });
  // @ts-expect-error: a time without a unit
  await api.orders.aggregate({ by: ["placedAt"] });
  // @ts-expect-error: two links away
  await api.orderItems.aggregate({ by: ["product.category.name"] });
  // @ts-expect-error: groups show no inverses
  await api.orders.aggregate({ by: ["customerId"], include: { items: true } });
  await api.orders.stats({ at: "shippedOn" });
  // @ts-expect-error: no time
  await api.orders.stats({ at: "status" });

  // @ts-expect-error: required
  await api.products.create({ name: "Tea", price: 4 });
  // @ts-expect-error: a number
  await api.products.create({ name: "Tea", price: "4", categoryId: "1" });
  // @ts-expect-error: no such field
  await api.products.update("1", { prize: 4 });
  await api.products.update("1", { price: { add: -1 }, stock: { add: 1 }, status: "gone" });
  await api.products.update("1", { ...tea, stock: { add: 1 } });
  // @ts-expect-error: nothing can be added to a text
  await api.products.update("1", { name: { add: 1 } });
  // @ts-expect-error: an amount is a number
  await api.products.update("1", { stock: { add: "1" } });
  // @ts-expect-error: a new record has nothing to add to
  await api.products.create({ name: "Tea", price: { add: 1 }, categoryId: "1" });
  // @ts-expect-error: a whole record is values
  await api.products.replace("1", { ...tea, stock: { add: 1 } });
  await api.batch((b) => {
    b.products.update("1", { stock: { add: -1 } });
    // @ts-expect-error: an upsert may create the record
    b.products.upsert("name", { name: "Tea", price: { add: 1 }, categoryId: "1" });
  });
  // @ts-expect-error: not a value of it
  await api.products.update("1", { status: "sold" });
  // @ts-expect-error: no such field
  await api.products.list({ where: { prize: 4 } });
  // @ts-expect-error: a boolean has no order
  await api.products.list({ where: { active: { gt: true } } });
  await api.orders.list({ sort: ["-customer.name", "customer.account.name", "number"] });
  await api.customers.list({ include: { orders: { sort: ["-coupon.code"] } } });
  // @ts-expect-error: no such field
  await api.orders.list({ sort: ["customer.colour"] });
  // @ts-expect-error: three links
  await api.orderItems.list({ sort: ["order.customer.account.name"] });
  // @ts-expect-error: an inverse
  await api.orders.list({ sort: ["items.quantity"] });
  // @ts-expect-error: lists are not sorted by long texts
  await api.products.list({ sort: ["description"] });
  // @ts-expect-error: no such link
  await api.products.list({ include: { shelf: true } });
  // @ts-expect-error: no field for files
  await api.products.upload.name(new Blob([]));

  const byCursor = await api.products.list({ cursor: "" });
  expectTypeOf(byCursor.meta.next).toEqualTypeOf<string | null>();
  const byPage = await api.products.list();
  // @ts-expect-error: only pages by cursor have it
  byPage.meta.next;

  await api.batch((b) => {
    const orderId = b.orders.create({
      number: 1,
      customerId: "1",
      placedAt: "2026-01-31T09:30:00Z",
    });
    b.orderItems.create({ orderId, productId: "1", quantity: 1, unitPrice: 1 });
    // @ts-expect-error: a link takes what the batch creates, and nothing else does
    b.orderItems.create({ orderId, productId: "1", quantity: orderId, unitPrice: 1 });
    // @ts-expect-error: an order is no product
    b.orderItems.create({ orderId, productId: orderId, quantity: 1, unitPrice: 1 });
    // @ts-expect-error: nor is it one in a change
    b.orderItems.update("1", { productId: orderId });
    b.orderItems.update("1", { orderId });
    const coupon = b.coupons.upsert("code", { code: "TEA" });
    // @ts-expect-error: what an upsert writes is of its resource too
    b.orderItems.upsert("id", { orderId: coupon, productId: "1", quantity: 1, unitPrice: 1 });
    // @ts-expect-error: a change creates nothing that could be referred to
    b.orderItems.update("1", { orderId: b.orders.update("1", { number: 2 }) });
    const ref: Ref<"orders"> = { ref: 0 };
    b.orderItems.update("1", { orderId: ref });
  });

  const answer = await api.auth.signIn({ email: "a@example.com", password: "b" });
  // @ts-expect-error: there may be a second step first
  answer.user;
  if (!("twoFactor" in answer)) expectTypeOf(answer.token).toEqualTypeOf<string>();

  if (isApiError(error, 422))
    expectTypeOf(error.issues?.[0]?.path).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: a 404 has none
  if (isApiError(error, 404)) error.issues;
}

/** Never called: groups by the entries of a list, of a resource that no fixture has. */
async function withLists(products: MethodsOf<ProductTypes>): Promise<void> {
  const { data } = await products.aggregate({
    by: ["tagIds", "createdAt:month"],
    include: { tags: { fields: ["name"] } },
  });
  expectTypeOf(data[0]?.by.tagIds).toEqualTypeOf<string | number | boolean | null | undefined>();
  expectTypeOf(data[0]?.by.tags?.name).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: it was not asked for
  data[0]?.by.tags?.createdAt;
  // @ts-expect-error: groups are not counted by distinct lists
  await products.aggregate({ distinct: ["tagIds"] });
  // @ts-expect-error: nor made by fields of the linked records
  await products.aggregate({ by: ["tags.name"] });
  // @ts-expect-error: only one record is shown
  await products.aggregate({ by: ["tagIds"], include: { tags: { perPage: 3 } } });
  // @ts-expect-error: the records that list them are none of a group's
  await products.aggregate({ by: ["tagIds"], include: { relatedBy: true } });
  const record = await products.get("1", { include: { tags: true } });
  expectTypeOf(record.tags.data[0]?.name).toEqualTypeOf<string | undefined>();
  await products.update("1", { tagIds: { add: ["2"], remove: ["3"] } });
}

interface TagTypes {
  name: "tags";
  record: { id: string; name: string; createdAt: string; updatedAt: string };
  create: { name: string };
  where: object;
  groups: "name";
}

interface ProductTypes {
  name: "products";
  record: { id: string; tagIds: string[]; createdAt: string; updatedAt: string };
  create: { tagIds?: string[] };
  where: object;
  inverses: { tags: TagTypes; relatedBy: ProductTypes };
  listed: { tags: TagTypes };
  lists: "tagIds";
  groupLists: "tagIds";
}

test("wrong uses of the types do not compile, and right ones do", () => {
  for (const each of [compiled, withPasskeys, withLists]) expect(each).toBeTypeOf("function");
});

test("resources do not hide api.service and api.batch, and nothing else is on api", () => {
  const api = createClient({ url: "http://localhost/api" });
  expect(Object.keys(api).toSorted()).toEqual(
    [
      ..."auth batch categories coupons customers orderItems orders products".split(" "),
      ..."promotions request reviews service settings visits".split(" "),
    ].toSorted(),
  );
});
