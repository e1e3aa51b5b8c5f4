import { expect } from "vitest";
import { isLong } from "../support/searches.js";
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

journey.runIf(isLong)("the sign-in can be used within a second", async ({ open }) => {
  const times: number[] = [];
  for (let visit = 0; visit < 5; visit += 1) {
    // Each in a browser that has seen nothing of it.
    const { page } = await open();
    const began = performance.now();
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    times.push(performance.now() - began);
  }
  expect(Math.min(...times)).toBeLessThan(1_000);
});

journey(
  "before the sign-in there is one script, and no sheet but its own and the palette",
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

journey.runIf(isLong)(
  "over 400 ms and 400 kbit/s the sign-in can be used within four seconds",
  async ({ open }) => {
    const times: number[] = [];
    for (let visit = 0; visit < 3; visit += 1) {
      const { page, context } = await open();
      const network = await context.newCDPSession(page);
      await network.send("Network.enable");
      const throughput = 400_000 / 8;
      await network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 400,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
      const began = performance.now();
      await page.goto("/sign-in");
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      times.push(performance.now() - began);
    }
    expect(Math.min(...times)).toBeLessThan(4_000);
  },
);
