import { expect } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey(
  "the sign-in fetches at most 120 kB of scripts and styles, the first list 230, and a record 90 more scripts",
  async ({ stage, open }) => {
    const { page } = await open();
    const sizes = { script: 0, style: 0 };
    const measured: Promise<void>[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      const kind = pathname.endsWith(".js") ? "script" : pathname.endsWith(".css") ? "style" : null;
      if (kind === null) return;
      // The browser takes brotli; the budget is in gzip.
      const gzip = fetch(response.url(), { headers: { "accept-encoding": "gzip" } });
      measured.push(
        gzip.then(async (answer) => {
          await answer.arrayBuffer();
          sizes[kind] += Number(answer.headers.get("content-length"));
        }),
      );
    });
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    await Promise.all(measured);
    expect(sizes.script + sizes.style).toBeLessThan(120_000);
    await signIn(page, (await stage.person("Measured", "editor")).email);
    await page.getByRole("link", { name: "Products" }).first().click();
    await page.getByRole("heading", { name: "Products" }).waitFor();
    await page.waitForLoadState("networkidle");
    await Promise.all(measured);
    expect(sizes.script + sizes.style).toBeLessThan(230_000);
    const first = sizes.script;
    await page.getByRole("link", { name: "New product" }).first().click();
    await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
    await page.getByLabel("Price").waitFor();
    await page.waitForLoadState("networkidle");
    await Promise.all(measured);
    expect(sizes.script - first).toBeLessThan(90_000);
    expect(sizes.style).toBeLessThan(25_000);
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
