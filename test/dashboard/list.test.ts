import { expect } from "vitest";
import { products, titles } from "./pages/list.js";
import { api } from "./support/api.js";
import { journey } from "./support/journey.js";

journey(
  "a list is one request, whose address keeps the query",
  async ({ stage, open, notByTouch }) => {
    notByTouch("the heads of columns sort by several; on a phone the order is a choice");
    const as = await stage.person("Lists", "admin");
    const own = as.email;
    const names = [`Oolong ${own}`, `Sencha ${own}`, `Matcha ${own}`];
    const { category } = await products(stage, as, names, (at) => ({
      status: at === 0 ? "live" : "draft",
      description: "long ".repeat(2_000),
    }));
    const { page } = await open({ as, at: `/data/products?filter[categoryId]=${category}` });
    await page.getByRole("link", { name: names[0] ?? "", exact: true }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/api/")) asked.push(request.url());
    });

    await page.getByRole("searchbox").fill("cha");
    await page
      .getByRole("link", { name: names[0] ?? "", exact: true })
      .waitFor({ state: "detached" });
    expect(await titles(page)).toEqual([names[2], names[1]]);
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await expect.poll(() => titles(page)).toEqual([names[2], names[1]]);
    await page.getByRole("button", { name: "Price" }).click({ modifiers: ["Shift"] });
    await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("name,price");
    expect(await page.getByRole("columnheader", { name: /^Name/ }).getAttribute("aria-sort")).toBe(
      "ascending",
    );
    await expect.poll(() => asked.length).toBe(3);
    expect(new Set(asked).size).toBe(3);

    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByLabel("Field").selectOption("Status");
    await page.getByLabel("Value").selectOption("draft");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Status is draft", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Status is draft", exact: true }).waitFor({
      state: "detached",
    });
    await page.goForward();
    await page.reload();
    await page.getByRole("button", { name: "Status is draft", exact: true }).click();
    await page.getByLabel("Condition").selectOption("is not");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Nothing in “Products” matches “cha”.").waitFor();
    await page.getByRole("button", { name: "Remove the filter Status is not draft" }).click();
    await expect.poll(() => titles(page)).toEqual([names[2], names[1]]);
  },
);

journey("columns are chosen and ordered, and stay so", async ({ stage, open }) => {
  const as = await stage.person("Columns", "admin");
  const { category } = await products(stage, as, [`Only ${as.email}`]);
  const path = `/data/products?filter[categoryId]=${category}`;
  const visit = await open({ as, at: path });
  const { page } = visit;
  const heads = () => page.getByRole("columnheader").allTextContents();
  await page.getByRole("columnheader", { name: "Category" }).waitFor();
  await page
    .getByRole("link", { name: `All ${as.email}`, exact: true })
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await page.getByRole("checkbox", { name: "Stock" }).check();
  await page.getByRole("checkbox", { name: "Description" }).check();
  await page.getByRole("checkbox", { name: "Active" }).uncheck();
  await page.getByRole("button", { name: "Move Stock up" }).click();
  await visit.rest();
  await page.keyboard.press("Escape");
  const chosen = await heads();
  expect(chosen).toContain("Description");
  expect(chosen).not.toContain("Active");
  await page.goto("/");
  await page.goto(path);
  await expect.poll(heads).toEqual(chosen);
});

journey("a column is made wider, and stays so", async ({ stage, open, notByTouch }) => {
  notByTouch("a phone shows cards and no columns");
  const as = await stage.person("Wide Columns", "admin");
  const { category } = await products(stage, as, [`Only ${as.email}`]);
  const path = `/data/products?filter[categoryId]=${category}`;
  const { page } = await open({ as, at: path });
  const price = page.getByRole("columnheader", { name: /^Price/ });
  await price.waitFor();
  const before = (await price.boundingBox())?.width ?? 0;
  await page.getByRole("separator", { name: "Width of Price" }).focus();
  await page.keyboard.press("Alt+ArrowRight");
  const isWider = async () => ((await price.boundingBox())?.width ?? 0) > before + 10;
  await expect.poll(isWider).toBe(true);
  await page.goto("/");
  await page.goto(path);
  await expect.poll(isWider).toBe(true);
});

journey("a view keeps conditions and columns, and omits invalid parts", async ({ stage, open }) => {
  const as = await stage.person("Views", "admin");
  const names = [`One ${as.email}`, `Two ${as.email}`];
  const { category } = await products(stage, as, names);
  const asked = `filter[categoryId]=${category}&days:createdAt=7`;
  const visit = await open({ as, at: `/data/products?${asked}&filter[price]=x&nonsense=1` });
  const { page } = visit;
  await page.getByText("filter[price], nonsense").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("filter[price], nonsense").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Created in the last 7 days", exact: true }).waitFor();
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name of the view").fill("New ones");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const tab = page.getByRole("link", { name: "New ones 2" });
  await tab.waitFor();
  expect(await tab.getAttribute("aria-current")).toBe("page");
  expect(decodeURIComponent(page.url())).toContain("days:createdAt=7");
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: /^All/ }).click();
  await page.reload();
  await page.getByRole("link", { name: /^New ones/ }).click();
  await expect.poll(() => titles(page)).toEqual(names.toReversed());
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete this view" }).click();
  await tab.waitFor({ state: "detached" });
});

journey(
  "selected rows are edited in batches, and all matching ones are deleted",
  async ({ stage, open }) => {
    const as = await stage.person("Bulk", "admin");
    const call = await api(stage, as);
    const made: string[] = [];
    const { category, ids } = await products(
      stage,
      as,
      Array.from({ length: 100 }, (_, at) => `Bulk ${at} ${as.email}`),
    );
    made.push(...ids);
    const { data } = await call<{ data: readonly { id: string }[] }>("POST", "/_service/batch", {
      operations: Array.from({ length: 20 }, (_, at) => ({
        create: "products",
        values: { name: `Late ${at} ${as.email}`, price: 500 + at, categoryId: category },
      })),
    });
    made.push(...data.map(({ id }) => id));
    const filter = `filter[categoryId]=${category}`;
    const visit = await open({ as, at: `/data/products?${filter}&perPage=100&sort=price` });
    const { page } = visit;
    await page.getByRole("checkbox", { name: "Select all 100 on this page" }).check();
    const dock = page.getByRole("toolbar", { name: "Selected products" });
    await dock.getByText("100 selected").waitFor();
    await visit.rest();
    // Somebody else changes two of them meanwhile.
    for (const id of made.slice(0, 2)) await call("PATCH", `/products/${id}`, { stock: 77 });
    await dock.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 100 products" });
    await dialog.getByLabel("Field").selectOption("Stock");
    await dialog.getByLabel("Stock").fill("12");
    await visit.rest();
    await dialog.getByRole("button", { name: "Change 100 products" }).click();
    await dialog.getByText("98 of 100 products changed").waitFor();
    await dialog.getByText("2 were refused and have not changed.").waitFor();
    await dialog.getByText(`Bulk 0 ${as.email}`).waitFor();
    await visit.rest();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("1–100 of 120").waitFor();
    const total = async (query: string) =>
      (await call<{ meta: { total: number } }>("GET", `/products?${filter}${query}`)).meta.total;
    expect(await total("&filter[stock]=12")).toBe(98);

    await page.getByRole("checkbox", { name: `Select Bulk 5 ${as.email}` }).check();
    await dock.getByRole("button", { name: "Select all 120 that match" }).click();
    await dock.getByText(/^All 120 that matched at/).waitFor();
    // What comes later is not meant.
    const values = { name: `Later ${as.email}`, price: 1, categoryId: category };
    await new Promise((done) => setTimeout(done, 1_100));
    await call("POST", "/products", values);
    await dock.getByRole("button", { name: "Delete…" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete 120 products?" });
    await question.getByRole("button", { name: "Delete 120 products" }).click();
    await question.getByText("The number does not match.").waitFor();
    await question.getByLabel("Type 120 to confirm").fill("120");
    await question.getByRole("button", { name: "Delete 120 products" }).click();
    await question.getByText("120 of 120 products deleted").waitFor();
    await question.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("1–1 of 1").waitFor();
    expect(await total("")).toBe(1);
  },
);

journey(
  "the shown rows are saved as a file in which spreadsheets execute nothing",
  async ({ stage, open }) => {
    const as = await stage.person("Exports", "admin");
    const { category } = await products(stage, as, [
      `=1+1 ${as.email}`,
      `Tea, "green" ${as.email}`,
    ]);
    const path = `/data/products?filter[categoryId]=${category}&sort=price`;
    const visit = await open({ as, at: path });
    const { page } = visit;
    await page.evaluate(
      "delete globalThis.showSaveFilePicker; delete Window.prototype.showSaveFilePicker",
    );
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await visit.rest();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save file" }).click();
    const chunks: Uint8Array[] = [];
    for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk);
    const lines = Buffer.concat(chunks).toString().split("\r\n");
    expect(lines[0]).toMatch(/^\uFEFFid,Name,Image,Category,Price/);
    expect(lines[1]).toContain(`,'=1+1 ${as.email},,All ${as.email},1.00`);
    expect(lines[2]).toContain(`,"Tea, ""green"" ${as.email}",`);
    expect(lines).toHaveLength(4);
  },
);
