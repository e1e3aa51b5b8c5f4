import type { Browser, Page } from "playwright-core";
import { startChromium } from "../../support/browser/chromium.js";
import { onClose } from "../closing.js";
import { type Seeded, seed, withConnection } from "../seed.js";
import { startServer } from "../servers.js";
import { observe } from "./observe.js";
import { startDashboard } from "./server.js";

/** The dashboard before a shop with a million products, and windows on it. */
export interface Dashboard {
  readonly url: string;
  readonly seeded: Seeded;
  /** A window of a browser that has seen nothing of it, signed in as an administrator. */
  window(options?: WindowOptions): Promise<Page>;
  /** The same, where nobody is signed in, and before any page. */
  strangerWindow(): Promise<Page>;
}

export interface WindowOptions {
  /** Below the address; home where it is left out. */
  readonly at?: string;
  /** The layout of the products' list that the browser keeps. */
  readonly layout?: { readonly columns: readonly string[]; readonly perPage: number };
}

export const products = 1_000_000;

/** Twelve columns: the title, and these. */
export const elevenFields = [
  "description",
  "categoryId",
  "price",
  "stock",
  "active",
  "status",
  "releasedOn",
  "soldOutAt",
  "manual",
  "createdAt",
  "updatedAt",
];

export async function openDashboard(adminUrl: string): Promise<Dashboard> {
  const seeded = await seed(adminUrl, products);
  const account = await withConnection(seeded.url, async (db) => {
    // Dates in the rows that are looked at, so that their cells are as costly as any.
    await db.query(
      `update products set released_on = created_at::date, sold_out_at = created_at
       where id in (select id from products order by created_at desc limit 2000)`,
    );
    const found = await db.query<{ id: string }>(
      "select id from service.users where email = 'bench@example.com'",
    );
    return found.rows[0]?.id ?? "";
  });
  const api = await startServer("emitted", seeded.url);
  const url = await startDashboard(api.url);
  let browser: Promise<Browser> | undefined;
  const openContext = async () => {
    browser ??= startBrowser();
    return (await browser).newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  };
  return {
    url,
    seeded,
    async strangerWindow() {
      return (await openContext()).newPage();
    },
    async window({ at = "/", layout } = {}) {
      const context = await openContext();
      const cookie = { name: "service_token", value: seeded.token, url, httpOnly: true };
      await context.addCookies([{ ...cookie, sameSite: "Lax" }]);
      await context.addInitScript(observe);
      if (layout !== undefined) {
        const kept = JSON.stringify(JSON.stringify({ ...layout, widths: {}, isCompact: false }));
        const name = JSON.stringify(`dashboard:${account}:list:products`);
        await context.addInitScript(`localStorage.setItem(${name}, ${kept})`);
      }
      const page = await context.newPage();
      await page.goto(at);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      return page;
    },
  };
}

async function startBrowser(): Promise<Browser> {
  const browser = await startChromium();
  onClose(() => browser.close());
  return browser;
}
