import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../support/browser/chromium.js";
import { openPasskeyPage, type PasskeyPage } from "../support/browser/passkey-page.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";

if (!hasChromium) process.stderr.write("Chromium is not installed: its tests are skipped\n");

describe.skipIf(!hasChromium)("in a browser, on a page of another origin", () => {
  let page: PasskeyPage;
  let host: ShopHost;
  let server: ShopServer;

  beforeAll(async () => {
    page = await openPasskeyPage();
    host = await openHost(`server: { cors_origins: ["${page.origin}"] }\n`);
    server = await host.serve();
  });
  afterAll(async () => {
    await page.close();
    await host.close();
  });

  test("keys and preconditions pass, and tags can be read", async () => {
    const product = { name: "From a page", price: 1, categoryId: server.category.id };
    const seen = await page.evaluate(`(async () => {
      const send = async (method, path, headers, body) => {
        const answer = await fetch(${JSON.stringify(server.url)} + path, {
          method,
          headers: {
            authorization: ${JSON.stringify(`Bearer ${server.token}`)},
            "content-type": "application/json",
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        const { status } = answer;
        const [tag, location, replayed] = ["etag", "location", "idempotency-replayed"].map((name) =>
          answer.headers.get(name));
        return { status, tag, location, replayed };
      };
      const product = ${JSON.stringify(product)};
      const traced = { "x-request-id": "page-1", traceparent: "00-${"1".repeat(32)}-${"2".repeat(16)}-01" };
      const key = { "idempotency-key": "from-a-page" };
      const post = await send("POST", "/api/products", { ...key, ...traced }, product);
      const again = await send("POST", "/api/products", { ...key, ...traced }, product);
      const patch = await send("PATCH", post.location, { "if-match": post.tag }, { stock: 2 });
      const lost = await send("PATCH", post.location, { "if-match": post.tag }, { stock: 3 });
      const known = await send("GET", post.location, { "if-none-match": patch.tag });
      const batch = await send("POST", "/api/_service/batch", { "idempotency-key": "page-2" }, {
        operations: [{ update: "products", id: post.location.split("/").at(-1), values: {}, ifMatch: patch.tag }],
      });
      return { post, again, patch, lost, known, batch };
    })()`);
    const tag = expect.stringMatching(/^"\w+"$/);
    const location = expect.stringMatching(/^\/api\/products\//);
    expect(seen).toMatchObject({
      post: { status: 201, tag, location, replayed: null },
      again: { status: 201, tag, location, replayed: "true" },
      patch: { status: 200, tag },
      lost: { status: 412 },
      known: { status: 304 },
      batch: { status: 200 },
    });
  });
});
