import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Client,
  createClient,
  NetworkError,
} from "../../fixtures/apps/shop/generated/client.js";
import { newName, openShop, type Shop } from "../support/apps/shop.js";
import { type Cut, openCuttingProxy } from "../support/http/cutting-proxy.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** Characters of a description: more than the network takes at once. */
const long = 90_000;
/** Bytes: within the head, within the body, and at the end of either. */
const points: readonly Cut[] = [
  ...[0, 1, 15, 250, 400, 20_000, 80_000, long].map((sent) => ({ sent })),
  ...[0, 1, 15, 250, 400, 50_000].map((received) => ({ received })),
];

/** What a client does over a network that loses its first connections. */
async function over<Result>(
  cuts: readonly Cut[],
  work: (api: Client) => Promise<Result>,
): Promise<{ readonly result: Result | unknown; readonly opened: number }> {
  const network = await openCuttingProxy(shop.app.url, cuts);
  const api = createClient({ url: `${network.url}/api`, token: shop.app.token });
  const result = await work(api).catch((error: unknown) => error);
  const opened = network.opened();
  await network.close();
  return { result, opened };
}

function named(name: string, description = "d".repeat(long)) {
  return { name, price: 1, categoryId: shop.category.id, description };
}

async function countOf(name: string): Promise<number> {
  const { body } = await shop.admin.list(`/products?filter[name]=${encodeURIComponent(name)}`);
  return body.meta.total;
}

/** All points at once, each over a network of its own. */
function atEachPoint(check: (cut: Cut, at: string) => Promise<void>): Promise<unknown> {
  return Promise.all(points.map((cut) => check(cut, JSON.stringify(cut))));
}

test("a create whose connection is cut at any point happens once, and the retry gets its record", () =>
  atEachPoint(async (cut, at) => {
    const name = newName(`Tea, cut at ${at}`);
    const { result, opened } = await over([cut], (api) => api.products.create(named(name)));
    expect(result, at).toMatchObject({ name });
    expect(opened, at).toBe(2);
    expect(await countOf(name), at).toBe(1);
  }));

test("if the retry is lost too, the error is clear and nothing is duplicated", () =>
  atEachPoint(async (cut, at) => {
    const name = newName(`Lost, cut at ${at}`);
    const { result, opened } = await over([cut, cut], (api) => api.products.create(named(name)));
    expect(result, at).toBeInstanceOf(NetworkError);
    expect(String(result)).toMatch(/^NetworkError: POST http:.*\/api\/products got no answer$/);
    expect(opened, at).toBe(2);
    expect(await countOf(name), at).toBeLessThanOrEqual(1);
  }));

test("a change with a tag that is sent again does not conflict with itself", () =>
  atEachPoint(async (cut, at) => {
    const name = newName(`Changed, cut at ${at}`);
    const made = await shop.admin.post("/products", named(name, ""));
    const { id } = made.body;
    const description = "e".repeat(long);
    const { result } = await over([cut], (api) =>
      api.products.update(id, { description }, { ifMatch: String(made.headers.etag) }),
    );
    expect(result, at).toMatchObject({ id, description });
  }));

test("an upload that is cut ends in a clear error, and is not retried", () =>
  atEachPoint(async (cut, at) => {
    // The answer to an upload is short.
    const lost = "received" in cut ? { received: Math.min(cut.received, 300) } : cut;
    const { result, opened } = await over([lost], (api) =>
      api.products.upload.manual(new Blob(["%PDF-1.4\n", "x".repeat(long)]), { name: "a.pdf" }),
    );
    expect(result, at).toBeInstanceOf(NetworkError);
    expect(opened, at).toBe(1);
  }));
