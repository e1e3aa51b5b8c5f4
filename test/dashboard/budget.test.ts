import { expect } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

/** Bytes, compressed. */
const budgets = {
  signIn: 120_000,
  home: 90_000,
  list: 90_000,
  untilList: 230_000,
  record: 90_000,
  style: 25_000,
};

/** What each page adds in gzip, and all before it; the browser takes brotli. */
journey(
  "sign-in, home, list and record stay within their budgets of scripts and styles",
  async ({ stage, open }) => {
    const { page } = await open();
    // After five seconds the dashboard loads the other screens ahead, which no page waits for.
    await page.addInitScript(`{
      const wait = globalThis.setTimeout;
      globalThis.setTimeout = (work, ms, ...rest) => ms === 5000 ? 0 : wait(work, ms, ...rest);
    }`);
    const sizes = { script: 0, style: 0 };
    const measured: Promise<void>[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      const kind = pathname.endsWith(".js") ? "script" : pathname.endsWith(".css") ? "style" : null;
      if (kind === null) return;
      const gzip = fetch(response.url(), { headers: { "accept-encoding": "gzip" } });
      measured.push(
        gzip.then(async (answer) => {
          await answer.arrayBuffer();
          sizes[kind] += Number(answer.headers.get("content-length"));
        }),
      );
    });
    /** What was fetched since the page before. */
    let former = 0;
    const added = async () => {
      await page.waitForLoadState("networkidle");
      await Promise.all(measured);
      const since = sizes.script - former;
      former = sizes.script;
      return since;
    };
    // By the address that people keep, not by that of the sign-in.
    await page.goto("/");
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await added();
    expect(sizes.script + sizes.style).toBeLessThan(budgets.signIn);
    const { email } = await stage.person("Measured", "editor");
    await signIn(page, email);
    await page.getByRole("heading", { name: "Hello, Measured" }).waitFor();
    expect(await added()).toBeLessThan(budgets.home);
    await page.getByRole("link", { name: "Products" }).first().click();
    await page.getByRole("heading", { name: "Products" }).waitFor();
    expect(await added()).toBeLessThan(budgets.list);
    expect(sizes.script).toBeLessThan(budgets.untilList);
    await page.getByRole("link", { name: "New product" }).first().click();
    await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
    await page.getByLabel("Price").waitFor();
    expect(await added()).toBeLessThan(budgets.record);
    expect(sizes.style).toBeLessThan(budgets.style);
  },
);

journey(
  "before the sign-in there is one script, and no style sheet except its own and the palette",
  async ({ open }) => {
    const { page } = await open();
    const files: string[] = [];
    page.on("request", (request) => files.push(new URL(request.url()).pathname));
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    // What loads later parts is a small file of its own, fetched beside the first.
    const scripts = files.filter((path) => path.endsWith(".js"));
    expect(scripts.filter((path) => !path.includes("rolldown-runtime"))).toHaveLength(1);
    expect(files.filter((path) => path.endsWith(".css"))).toHaveLength(2);
    // Asked for with the page, and once.
    expect(files.filter((path) => path === "/api/auth/config")).toHaveLength(1);
  },
);

journey(
  "without an account the sign-in is first, and nothing is refused on the way",
  async ({ stage, open }) => {
    const visit = await open();
    const { page } = visit;
    const refused: string[] = [];
    const files: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
      if (answer.url().endsWith(".js")) files.push(answer.url());
    });
    for (const path of ["/", "/data/products?sort=-price"]) {
      files.length = 0;
      await page.goto(path);
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(files.length).toBeLessThanOrEqual(2);
    }
    expect(refused).toEqual([]);
    expect(new URL(page.url()).search).toBe("?redirectTo=%2Fdata%2Fproducts%3Fsort%3D-price");
    const { email } = await stage.person("Late", "editor");
    await signIn(page, email);
    await page.getByRole("heading", { name: "Products" }).waitFor();
    // The browser may keep the page of before the sign-in.
    await page.goto("/api/auth/config");
    await page.goBack();
    await page.getByRole("heading", { name: "Products" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Products" }).waitFor();
  },
);
