import { expect } from "vitest";
import { api, field, fresh, make, makeProduct, pick, save } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "a new record is created with every kind of value, and later only changed fields are sent",
  async ({ stage, open }) => {
    const as = await stage.person("Laura Callahan", "editor");
    const category = await make(stage, "categories", { name: fresh("Coffee") });
    const visit = await open({ as, at: "/data/products/new", timezoneId: "Europe/Berlin" });
    const { page } = visit;
    const name = fresh("Ipoh Coffee");
    await field(page, "Name").fill(name);
    await field(page, "Description").fill("Two lines,\nof which this is the second.");
    await field(page, "Price").fill("46.5");
    await field(page, "Stock").fill("17");
    await page.getByRole("switch", { name: "Active" }).click();
    await page.getByRole("radio", { name: "live" }).check();
    await field(page, "Released on").fill("2026-02-28");
    await field(page, "Sold out at").fill("2026-11-21T15:02");
    await page.getByText("Your time, Europe/Berlin. Stored as 14:02 UTC.").waitFor();
    await pick(page, "Category", String(category.name));
    await visit.rest();
    await save(page);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { body } = await api(stage, "GET", `/products/${id}`);
    expect(body).toMatchObject({
      name,
      description: "Two lines,\nof which this is the second.",
      price: 46.5,
      stock: 17,
      active: false,
      status: "live",
      releasedOn: "2026-02-28",
      soldOutAt: "2026-11-21T14:02:00.000Z",
      categoryId: category.id,
    });
    expect(await field(page, "Price").inputValue()).toBe("46.50");

    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await field(page, "Stock").fill("18");
    await page.keyboard.press("Control+s");
    const request = await sent;
    expect(request.postDataJSON()).toEqual({ stock: 18 });
    const headers = await request.allHeaders();
    expect(headers["if-match"]).toMatch(/^"/);
    expect(headers["idempotency-key"]).toMatch(/^[\da-f]{32}$/);
    await page.getByText(`${name} saved`).waitFor();
  },
);

journey("a record sends three requests, with any tabs", async ({ stage, open }) => {
  const as = await stage.person("Counted", "editor");
  const product = await makeProduct(stage);
  for (let at = 0; at < 11; at += 1) {
    await make(stage, "reviews", {
      productId: product.id,
      rating: 4,
      body: "Quite good, all in all.",
    });
  }
  const { page } = await open({ as, at: "/account/profile" });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/")) asked.push(decodeURIComponent(pathname + search));
  });
  await page.goto(`/data/products/${product.id}/reviews`);
  await page.getByRole("table").getByText("4", { exact: true }).first().waitFor();
  await page.getByRole("link", { name: "Reviews 10+" }).last().waitFor();
  await page.waitForLoadState("networkidle");
  const own = asked.filter((path) => !/^\/api\/(?:auth|_service)\//.test(path));
  expect(own).toHaveLength(3);
  expect(own).toContain(`/api/products/${product.id}`);
  expect(own.filter((path) => path.includes("fields=id&include=category,reviews"))).toHaveLength(1);
});

journey(
  "mistakes are shown while typing, and nothing is sent that the API would refuse",
  async ({ stage, open }) => {
    const as = await stage.person("Wrong", "editor");
    const { page } = await open({ as, at: "/data/customers/new" });
    const said = async (label: string, typed: string, sentence: string | RegExp) => {
      await field(page, label).fill(typed);
      await page.keyboard.press("Tab");
      await page.locator("form").getByText(sentence).first().waitFor();
      const described = await field(page, label).getAttribute("aria-describedby");
      expect(described).not.toBeNull();
    };
    await said("Name", "X", "At least 2 characters");
    await said("Email", "nobody", "Must be an email address");
    await said("Website", "ftp://example.com", "Must be an http or https address");
    await said("Telephone", "0123", /^Must match/);
    await said("Balance", "1.234", "At most 2 decimal places");
    await said("Balance", "-1001", "Must be at least -1000");
    await said("Balance", "many", "Must be a number");
    await said("Notes", "ab", "At least 3 characters");
    let posts = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") posts += 1;
    });
    await save(page);
    const summary = page.getByRole("alert").filter({ hasText: "Not saved" });
    await summary.waitFor();
    await summary.getByRole("link", { name: "Email" }).click();
    expect(await page.evaluate("document.activeElement.getAttribute('name')")).toBe("email");
    expect(posts).toBe(0);
  },
);

journey(
  "the API's error is shown at its field until that field changes",
  async ({ stage, open }) => {
    const as = await stage.person("Refused", "editor");
    const taken = await makeProduct(stage);
    const product = await makeProduct(stage);
    const visit = await open({ as, at: `/data/products/${product.id}` });
    const { page } = visit;
    await field(page, "Name").fill(String(taken.name));
    await save(page);
    await page
      .getByRole("alert")
      .filter({ hasText: "Not saved: 1 field needs attention." })
      .waitFor();
    const described = await field(page, "Name").getAttribute("aria-describedby");
    expect(described).not.toBeNull();
    expect(await field(page, "Name").getAttribute("aria-invalid")).toBe("true");
    // The record with that value opens in a separate window, so that what was typed stays.
    const opened = visit.context.waitForEvent("page");
    await page.getByRole("link", { name: "Open it in a new tab" }).click();
    const holder = await opened;
    await holder.getByRole("heading", { level: 1, name: String(taken.name) }).waitFor();
    expect(new URL(holder.url()).pathname).toBe(`/data/products/${taken.id}`);
    await holder.close();
    expect(await field(page, "Name").inputValue()).toBe(taken.name);
    await visit.rest();
    await field(page, "Name").fill(fresh("Free"));
    expect(await field(page, "Name").getAttribute("aria-invalid")).toBeNull();
    await save(page);
    await page.getByText(/ saved$/).waitFor();
  },
);

journey(
  "a related record is created beside the form and chosen at once",
  async ({ stage, open }) => {
    const as = await stage.person("Maker", "editor");
    const visit = await open({ as, at: "/data/products/new" });
    const { page } = visit;
    const name = fresh("Spices");
    await field(page, "Name").fill(fresh("Curry"));
    await page.getByRole("combobox", { name: "Category" }).fill("zzzz");
    await page.getByText("Category: nothing matches “zzzz”.").waitFor();
    await page.getByRole("option", { name: "New category…" }).click();
    const drawer = page.getByRole("dialog", { name: "New category" });
    await drawer.getByLabel("Name").fill(name);
    await visit.rest();
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.waitFor({ state: "detached" });
    expect(await page.getByRole("combobox", { name: "Category" }).inputValue()).toBe(name);
    await page.getByRole("button", { name: "Discard" }).click();
  },
);

journey(
  "save and continue creates one after the other, and a copy omits unique values",
  async ({ stage, open }) => {
    const as = await stage.person("Diligent", "editor");
    const product = await makeProduct(stage, { stock: 7 });
    const { page } = await open({ as, at: `/data/products/${product.id}` });
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).waitFor();
    expect(await field(page, "Name").inputValue()).toBe("");
    expect(await field(page, "Stock").inputValue()).toBe("7");
    const name = fresh("Copy");
    await field(page, "Name").fill(name);
    await page.keyboard.press("Control+Enter");
    await page.getByText(`${name} created`).waitFor();
    expect(await field(page, "Name").inputValue()).toBe("");
    await page.getByRole("button", { name: "Open it" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByRole("button", { name: /^Your account: / }).click();
    await page.getByRole("menuitem", { name: "Recent messages…" }).click();
    await page.getByRole("dialog").getByText(`${name} created`).waitFor();
    await page.keyboard.press("Escape");

    // A tab covers the form, not what there is to save; what is wrong uncovers it, and has the focus.
    const reviews = page.getByRole("link", { name: /^Reviews/ }).last();
    await field(page, "Price").fill("-1");
    await reviews.click();
    await save(page);
    const summary = page.getByRole("alert").filter({ hasText: "Not saved" });
    await summary.and(page.locator(":focus")).waitFor();
    await field(page, "Price").fill("4.50");
    await field(page, "Stock").fill("8");
    await reviews.click();
    // A phone has no room for it.
    await page.getByText("1 field changed").waitFor({ state: "attached" });
    await save(page);
    await page.getByText(`${name} saved`).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).waitFor({ state: "detached" });
  },
);
