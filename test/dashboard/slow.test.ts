import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { isLong } from "../support/searches.js";
import { products } from "./pages/list.js";
import { fresh, makeProduct } from "./pages/record.js";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey(
  "signing in while scripts are slow shows that the page is loading",
  async ({ stage, open }) => {
    const { email } = await stage.person("Sally Slow");
    const visit = await open();
    const { page } = visit;
    await page.route("**/assets/*.js", async (route) => {
      await sleep(700);
      await route.continue();
    });
    await page.goto("/sign-in");
    await signIn(page, email);
    await page.getByText("Loading", { exact: true }).first().waitFor();
    await page.getByRole("heading", { name: "Hello, Sally Slow" }).waitFor();
    await visit.rest();
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("menuitem", { name: "Your account" }).click();
    await page.getByRole("heading", { name: "Profile" }).waitFor();
  },
);

journey(
  "rows are drawn together with the pager below them, on a slow processor too",
  async ({ stage, open }) => {
    const admin = await stage.person("Rory Rows", "admin");
    const { category } = await products(stage, admin, [fresh("Rowed A"), fresh("Rowed B")]);
    const visit = await open({ as: admin, at: "/" });
    const { page } = visit;
    const processor = await page.context().newCDPSession(page);
    await processor.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    // It is counted in the page, at the moment at which the pager comes.
    await page.addInitScript(`globalThis.rowsWithPager = new Promise((done) => {
      new MutationObserver(() => {
        if (document.querySelector(".dock .range") !== null)
          done(document.querySelectorAll("tbody tr[data-id]").length);
      }).observe(document, { childList: true, subtree: true });
    })`);
    await page.goto(`/data/products?filter[categoryId]=${category}`);
    expect(await page.evaluate("rowsWithPager")).toBe(2);
    await processor.detach();
  },
);

journey.runIf(isLong)(
  "a screen is reached while its script is slow, and neither jumps nor loses the focus",
  async ({ stage, open }) => {
    const { name } = await makeProduct(stage);
    const visit = await open({ as: await stage.person("Wilma Walker", "admin"), at: "/" });
    const { page } = visit;
    await page.route("**/assets/*.js", async (route) => {
      await sleep(700);
      await route.continue();
    });
    const ways = [
      ["Accounts", "Accounts"],
      ["Events", "Accounts"],
      ["Products", "Products"],
      [String(name), String(name)],
      ["Home", /^Hello, /],
    ] as const;
    for (const [link, heading] of ways) {
      await page.getByRole("link", { name: link, exact: true }).first().focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.waitForLoadState("networkidle");
      await visit.fits();
    }
  },
);

journey(
  "a script that cannot be loaded is reported, and reloading the page continues",
  async ({ stage, open }) => {
    const visit = await open({ as: await stage.person("Uma Updated"), at: "/" });
    const { page } = visit;
    visit.allow(/Failed to load resource|Failed to fetch dynamically imported module/);
    // Screens are kept away until the end: they would be loaded ahead, five seconds after the first one.
    for (const scripts of ["**/assets/screen-*.js", "**/assets/*.js"])
      await page.route(scripts, (route) => route.abort());
    // A layer that cannot be loaded leaves the page below it alone.
    await page.keyboard.press("Control+k");
    const layer = page.getByRole("dialog", { name: "This could not be loaded" });
    await layer.waitFor();
    await visit.rest();
    await page.keyboard.press("Escape");
    await layer.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Hello, Uma Updated" }).waitFor();
    await page.keyboard.press("Control+k");
    await layer.waitFor();
    await page.unroute("**/assets/*.js");
    await layer.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("combobox", { name: /^Jump to/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("menuitem", { name: "Your account" }).click();
    await page.getByText("The page has a new version").waitFor();
    await page.unroute("**/assets/screen-*.js");
    await page.getByRole("button", { name: "Load the page again" }).click();
    await page.getByRole("heading", { name: "Profile" }).waitFor();
  },
);

journey(
  "an API that is down or slow is reported, and a retry continues at the same place",
  async ({ stage, open }) => {
    const visit = await open({ as: await stage.person("Dora Down"), at: "/account/profile" });
    const { page } = visit;
    visit.allow(/Failed to load resource: the server responded with a status of 50[24]/);
    const answer = (status: number) => ({
      status,
      contentType: "application/json",
      body: '{"error":"The API did not respond"}',
    });
    const sent: string[] = [];
    page.on("request", (request) =>
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
    );
    const times = (what: string) => sent.filter((one) => one === what).length;
    await page.route("**/api/auth/me", (route) => route.fulfill(answer(502)));
    await page.getByLabel("Name").fill("Dora Up");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("The server cannot respond at the moment").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Dora Up");
    // A write is sent once; a read twice more.
    expect(times("PATCH /api/auth/me")).toBe(1);
    await visit.rest();
    await page.unroute("**/api/auth/me");
    await page.route("**/api/auth/me", async (route) => {
      await sleep(1_000);
      await route.continue();
    });
    const save = page.getByRole("button", { name: "Save" });
    await save.click();
    // Busy keeps its place and the focus, and is sent once.
    await expect.poll(() => save.getAttribute("aria-disabled")).toBe("true");
    await save.click({ force: true });
    await page.getByText("Saved").waitFor();
    await page.unroute("**/api/auth/me");

    await page.route("**/api/auth/sessions", (route) => route.fulfill(answer(504)));
    await page.getByRole("link", { name: "Devices" }).click();
    await page.getByRole("alert").getByText("The server cannot respond at the moment").waitFor();
    expect(times("GET /api/auth/sessions")).toBe(3);
    await page.unroute("**/api/auth/sessions");
    await page.route("**/api/auth/sessions", (route) => route.fulfill(answer(504)), { times: 1 });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("this device").waitFor();

    await page.route("**/api/auth/token", (route) => route.fulfill(answer(502)));
    await page.getByRole("button", { name: /^Your account: / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
    await page.getByRole("alert").getByText("you may still be signed in").waitFor();
  },
);

journey(
  "numbers may arrive late or not at all: home neither jumps nor shows that there are none",
  async ({ stage, open }) => {
    const visit = await open({ as: await stage.person("Lara Later") });
    const { page } = visit;
    visit.allow(/Failed to load resource: the server responded with a status of 502/);
    const body = '{"error":"The API did not respond"}';
    await page.route("**/api/_service/resources", (route) =>
      route.fulfill({ status: 502, contentType: "application/json", body }),
    );
    for (const path of ["/", "/data/products", "/data/products/new"]) {
      await page.goto(path);
      await page.getByRole("main").getByText("The server cannot respond at the moment").waitFor();
    }
    await page.unroute("**/api/_service/resources");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/_service/resources", async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto("/");
    // Until then something is seen to come, in a wide window too.
    const coming = page.getByRole("main").getByRole("status");
    await expect.poll(async () => (await coming.boundingBox())?.height ?? 0).toBeGreaterThan(60);
    answer();
    await page.getByRole("heading", { name: "Hello, Lara Later" }).waitFor();
    await visit.rest();
  },
);
