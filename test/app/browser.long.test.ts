import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clientModules } from "../support/apps/client-code.js";
import { demoDescriptors } from "../support/apps/seeded-demo.js";
import { startWrittenApp } from "../support/apps/written-app.js";
import { hasChromium, startChromium } from "../support/browser/chromium.js";
import { openSlowReader } from "../support/http/slow-reader.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";

type ClientModule = typeof import("../../fixtures/apps/shop/generated/client.js");

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const folder = mkdtempSync(join(tmpdir(), "service-web-"));

const document = "apps/shop/generated/openapi.json";

let browser: Browser;
let site: Server;
let origin: string;
let host: ShopHost;
let shop: ShopServer;

const clientCode = clientModules("shop");

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** A front end's own server, which is another origin than the API's. */
function answer(path: string): string {
  if (path === "/plain.html") {
    return `<!doctype html><title>Plain</title><script type="module">
      import * as client from "./client.js";
      window.client = client;
    </script>`;
  }
  return clientCode.get(path.slice(1)) ?? readFileSync(join(folder, path), "utf8");
}

/** Builds the front end for that API, below this path of its site. */
async function buildSite(url: string, base: string): Promise<void> {
  process.env.VITE_API_URL = url;
  await build({
    ...{ root: join(fixtures, "web"), base, configFile: false, logLevel: "error" },
    build: { outDir: join(folder, base), emptyOutDir: true },
  });
}

/** A page, and what its console says against it. */
async function open(url: string): Promise<{ page: Page; said: string[] }> {
  const page = await browser.newPage();
  const said: string[] = [];
  page.on("console", (line) => {
    if (line.type() === "error" || line.type() === "warning") said.push(line.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(url);
  return { page, said };
}

describe.skipIf(!hasChromium)("in Chromium", () => {
  beforeAll(async () => {
    browser = await startChromium();
    site = createServer((request, response) => {
      const path = request.url === "/" ? "/index.html" : (request.url ?? "");
      try {
        const type = types[extname(path)] ?? "text/plain";
        response.setHeader("content-type", type).end(answer(path));
      } catch {
        response.setHeader("content-type", "image/png").end();
      }
    });
    await new Promise<void>((done) => site.listen(0, "localhost", done));
    origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    host = await openHost(`server: { cors_origins: ["${origin}"], docs: true }\n`);
    cpSync(join(fixtures, document), join(host.root, "generated/openapi.json"));
    // Not the default, development: there the document needs no token.
    shop = await host.serve({ NODE_ENV: "test" });
    await buildSite(`${shop.url}/api`, "/");
  });
  afterAll(async () => {
    delete process.env.VITE_API_URL;
    await browser.close();
    site.closeAllConnections();
    site.close();
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // A test that is tried again names its records as before.
  beforeEach(async () => {
    const db = new pg.Client({ connectionString: host.databaseUrl });
    await db.connect();
    await db.query("truncate products cascade");
    await db.query("delete from categories where id <> $1", [shop.category.id]);
    await db.end();
  });

  test("the client runs in a plain script across origins: tags, batches, refusals, progress, aborts", async () => {
    const { page, said } = await open(`${origin}/plain.html`);
    const given = { url: `${shop.url}/api`, token: shop.token, categoryId: shop.category.id };
    const seen = await page.evaluate(async ({ url, token, categoryId }) => {
      const { createClient, isApiError, NetworkError } = (
        globalThis as unknown as { client: ClientModule }
      ).client;
      const api = createClient({ url, token });
      const failure = (work: Promise<unknown>) =>
        work.then(
          () => null,
          (error: unknown) => error,
        );
      const tea = await api.products.create({ name: "Tea", price: 4, categoryId });
      await api.products.update(tea.id, { price: 5 }, { ifMatch: tea });
      const stale = await failure(api.products.update(tea.id, { price: 6 }, { ifMatch: tea }));
      const invalid = await failure(api.products.create({ name: "", price: -1, categoryId }));
      const [shelf, cup] = await api.batch((b) => {
        const categoryId = b.categories.create({ name: "Shelf" });
        b.products.create({ name: "Cup", price: 1, categoryId });
      });
      const names: string[] = [];
      const query = { where: { price: { gte: 1 } }, sort: ["name"], perPage: 1 } as const;
      for await (const { name } of api.products.all(query)) names.push(name);
      const loads: number[] = [];
      const wrong = await failure(
        api.products.upload.manual(new Blob(["no pdf"]), {
          name: "note.pdf",
          onProgress: ({ loaded }) => loads.push(loaded),
        }),
      );
      const ending = new AbortController();
      const left = failure(api.products.list({}, { signal: ending.signal }));
      ending.abort("left");
      const away = createClient({ url: "http://localhost:1/api", timeout: 5_000 });
      const refused = await failure(away.auth.signIn({ email: "a@example.com", password: "b" }));
      return {
        stale: isApiError(stale, 412),
        invalid: isApiError(invalid, 422) && invalid.issues?.map(({ path }) => path),
        batch: shelf !== null && cup?.categoryId === shelf?.id,
        names,
        wrong: isApiError(wrong, 422),
        loads,
        left: await left,
        away: refused instanceof NetworkError,
      };
    }, given);
    expect(seen).toEqual({
      stale: true,
      invalid: ["name", "price"],
      batch: true,
      names: ["Cup", "Tea"],
      wrong: true,
      loads: [6],
      left: "left",
      away: true,
    });
    // The browser itself reports each refusal, and the port that nobody listens on.
    expect(said.filter((line) => !line.startsWith("Failed to load resource"))).toEqual([]);
    await page.close();
  });

  test("an upload that makes progress may take longer than the time-out, and one that stalls may not", async () => {
    const { page } = await open(`${origin}/plain.html`);
    // Much more than the network takes at once.
    const size = 48 * 1_048_576;
    const slow = await openSlowReader({ bytes: 1_048_576, pauseMs: 120 });
    const still = await openSlowReader(null);
    const given = { slow: slow.url, still: still.url, size };
    const seen = await page.evaluate(async ({ slow, still, size }) => {
      const { createClient } = (globalThis as unknown as { client: ClientModule }).client;
      const file = new Blob([new Uint8Array(size)]);
      const upload = (url: string, timeout: number) =>
        createClient({ url, timeout })
          .products.upload.manual(file, { name: "large.pdf" })
          .then(({ key }) => key, String);
      return [await upload(slow, 4000), await upload(still, 300)];
    }, given);
    expect(seen[0]).toBe("products/manual/1");
    expect(slow.received()).toBe(size);
    expect(seen[1]).toMatch(/^NetworkError: .* within 300 ms$/);
    await slow.close();
    await still.close();
    await page.close();
  });

  test("the front end of the documentation signs in, lists, creates and uploads", async () => {
    const { page, said } = await open(origin);
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "email" }).waitFor();
    await page.getByLabel("Password").fill(account.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill("Photograph");
    await page.getByLabel("Price").fill("2.5");
    await page.getByLabel("Category").selectOption(shop.category.id);
    await page.getByLabel("Picture").setInputFiles(join(fixtures, "pictures/adobe-rgb.jpg"));
    await page.getByRole("button", { name: "Create" }).click();
    const item = page.getByRole("listitem").filter({ hasText: "Photograph, 2.50, Category of" });
    await item.waitFor();
    const width = () =>
      item.getByRole("img").evaluate((picture) => Reflect.get(picture, "naturalWidth"));
    await expect.poll(width).toBeGreaterThan(0);
    await page.getByLabel("Name").fill("Photograph");
    await page.getByLabel("Price").fill("1");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("name: ").waitFor();
    expect(said.filter((line) => !line.startsWith("Failed to load resource"))).toEqual([]);
    await page.close();
  });

  test("the front end shows public products before signing in", async () => {
    const settings = `auth: { check_breached_passwords: false }
server: { host: 127.0.0.1, cors_origins: ["${origin}"] }
`;
    const descriptors = demoDescriptors(join(folder, "demo"));
    const app = await startWrittenApp({ descriptors, settings });
    try {
      const { client } = await app.caller("admin");
      const { body: teas } = await client.post("/categories", { name: "Teas" });
      const tea = { name: "Assam", price: 2.5, categoryId: teas.id, status: "live" };
      await client.post("/products", tea);
      await buildSite(`${app.url}/api`, "/public/");
      const { page, said } = await open(`${origin}/public/index.html`);
      await page.getByRole("listitem").filter({ hasText: "Assam, 2.50, Teas" }).waitFor();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(said).toEqual([]);
      await page.close();
    } finally {
      await app.close();
    }
  });

  test("with server.docs the reference page shows the document under its policy, once it has a token", async () => {
    const { page, said } = await open(`${shop.url}/api/_service/docs`);
    await page.getByLabel("Token").fill(shop.token);
    await page.keyboard.press("Enter");
    await page.locator("#operations-tag-products").waitFor({ timeout: 120_000 });
    expect(said.filter((line) => !line.startsWith("Failed to load resource"))).toEqual([]);
    await page.close();
  });
});
