import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Client, client } from "../support/http/client.js";
import { fresh } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, type Person, type Stage, sharedStage } from "./support/stage.js";
import { smallTargets } from "./support/targets.js";

const descriptors = new Map([
  [
    "products.yaml",
    `title: name
fields:
  name: { type: string, required: true }
  price: { type: number, decimals: 2 }
  status: { type: enum, values: [draft, live] }
`,
  ],
  ["tags.yaml", "title: name\nfields:\n  name: { type: string, required: true }\n"],
  [
    "product-tags.yaml",
    `fields:
  productId: { type: belongsTo, resource: products, required: true }
  tagId: { type: belongsTo, resource: tags, required: true }
`,
  ],
  [
    "secrets.yaml",
    "access: { list: [admin], stats: [admin] }\nfields: { name: { type: string } }\n",
  ],
  [
    "letters.yaml",
    "label: Letters\ntitle: name\naccess: { stats: [admin] }\nfields: { name: { type: string } }\n",
  ],
]);
const settings =
  "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n";

const journey = journeyOn(() =>
  sharedStage("home", async () => {
    const stage = await openWrittenStage({ descriptors, settings });
    const api = client(stage.app.url, stage.app.token);
    const { body: product } = await api.post("/products", {
      name: "Tea",
      price: 2.5,
      status: "live",
    });
    await api.post("/products", { name: "Jam", price: 4, status: "draft" });
    const { body: tag } = await api.post("/tags", { name: "Warm" });
    await api.post("/product-tags", { productId: product.id, tagId: tag.id });
    return stage;
  }),
);

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

async function clientOf(stage: Stage, person: Person): Promise<Client> {
  return client(stage.app.url, await stage.cookieOf(person));
}

/** Stores a home without the dashboard. */
async function store(stage: Stage, person: Person, home: object): Promise<void> {
  const { status, text } = await (await clientOf(stage, person)).put("/_service/home", home);
  expect(status, text).toBe(200);
}

interface Home {
  readonly own: readonly { readonly kind: string }[] | null;
  readonly shared: readonly { readonly kind: string }[] | null;
}

async function stored(stage: Stage, person: Person): Promise<Home> {
  return (await (await clientOf(stage, person)).get<Home>("/_service/home")).body;
}

const kinds = async (stage: Stage, person: Person) =>
  (await stored(stage, person)).own?.map(({ kind }) => kind) ?? null;

const blocks = (page: Page) => page.getByRole("list", { name: "Blocks on your home page" });

/** The names of the blocks that are being arranged, in their order. */
const names = async (page: Page) =>
  blocks(page)
    .locator(":scope > li > [role=group]")
    .evaluateAll((found) => found.map((one) => one.getAttribute("aria-label")));

const list = { resource: "products", name: null, search: "" };
const three = [
  { id: "1", kind: "values", resource: "products", field: "status" },
  { id: "2", kind: "figure", ...list, measure: "sum.price" },
  { id: "3", kind: "records", ...list, columns: null },
];
const [chart, sum, records] = ["Products: By Status", "Sum of Price: Products", "Products"];

journey(
  "charts, lists, numbers and totals are added where they are seen, and are there after a reload",
  async ({ stage, open }) => {
    const as = await stage.person("Adds To Home");
    const visit = await open({ as, at: "/data/products/charts" });
    const { page } = visit;
    await page.getByRole("button", { name: "Add to home: By Status" }).click();
    await page.getByText("By Status is on your home page").waitFor();
    await page.getByRole("button", { name: "Add to home: New Products" }).click();
    await page.getByText("New Products is on your home page").waitFor();
    await page
      .getByRole("button", { name: "Add to home: Sum of Price by month of Created" })
      .click();
    await page.getByText("Sum of Price by month of Created is on your home page").waitFor();
    await visit.rest();

    await page.goto("/data/products?filter[status]=live&total=max");
    const add = async (name: string) => {
      await page.getByRole("button", { name: "Totals", exact: true }).click();
      await page.getByRole("button", { name: `Add to home: ${name}`, exact: true }).click();
      await page.getByText(`${name} is on your home page`).waitFor();
    };
    await add("Products, filtered");
    await add("Number: Products, filtered");
    await add("Maximum of Price: Products, filtered");
    await page.getByRole("button", { name: "Undo" }).click();
    await page
      .getByText("Maximum of Price: Products, filtered is no longer on your home page")
      .waitFor();
    await add("Maximum of Price: Products, filtered");
    await page.getByRole("button", { name: "Open home" }).click();

    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      const home = blocks(page);
      await home.getByRole("region", { name: "Resources" }).waitFor();
      await home.getByRole("region", { name: "Products: By Status", exact: true }).waitFor();
      await home.getByRole("region", { name: "Products: New by week" }).waitFor();
      await home
        .getByRole("region", { name: "Products: Sum of Price by month of Created" })
        .waitFor();
      const rows = home.getByRole("region", { name: "Products, filtered" });
      await rows.getByRole("link", { name: "Tea" }).waitFor();
      expect(await rows.getByRole("listitem").count()).toBe(1);
      await home.getByRole("link", { name: /^Number: Products, filtered\s*1$/ }).waitFor();
      await home.getByRole("link", { name: /^Maximum of Price: .*2\.50$/ }).waitFor();
      await visit.rest();
    }
    await page.getByRole("button", { name: "Arrange", exact: true }).click();
    for (const width of [1024, 768, 360, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await visit.fits();
      expect(await page.evaluate(smallTargets)).toEqual([]);
    }
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "All: Products, filtered" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?filter[status]=live&total=max");
  },
);

journey("a view is added under its name", async ({ stage, open }) => {
  const as = await stage.person("Adds A View");
  const { page } = await open({ as, at: "/data/products?filter[status]=draft" });
  const name = fresh("Drafts");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name of the view").fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Totals", exact: true }).click();
  await page.getByRole("button", { name: `Add to home: ${name}`, exact: true }).click();
  await page.getByText(`${name} is on your home page`).waitFor();
  await page.goto("/");
  await blocks(page).getByRole("region", { name }).getByRole("link", { name: "Jam" }).waitFor();
});

journey("a list without statistics is added all the same", async ({ stage, open }) => {
  const as = await stage.person("Counts Nothing");
  const { page } = await open({ as, at: "/data/letters" });
  await page.getByRole("button", { name: "Add to home", exact: true }).click();
  const offers = page.getByRole("button", { name: /^Add to home: / });
  await offers.first().waitFor();
  expect(await offers.allTextContents()).toEqual(["Add to home: Letters"]);
  await offers.click();
  await page.getByText("Letters is on your home page").waitFor();
  await page.goto("/");
  await blocks(page).getByRole("region", { name: "Letters" }).waitFor();
});

journey(
  "blocks are moved by keys, buttons and the mouse, removed, and put back",
  async ({ stage, open }) => {
    const as = await stage.person("Arranges");
    await store(stage, as, { own: three });
    const visit = await open({ as, at: "/" });
    const { page } = visit;
    const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
    await page.getByRole("button", { name: "Arrange", exact: true }).click();
    expect(await names(page)).toEqual([chart, sum, records]);
    await visit.rest();

    const remove = (name: string) =>
      page.getByRole("button", { name: `Remove ${name}; move it with Alt and an arrow key` });
    await remove(records).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(() => names(page)).toEqual([chart, records, sum]);
    expect(await focused()).toBe(`Remove ${records}; move it with Alt and an arrow key`);
    await page.getByText(`${records} is now 2 of 3`).waitFor();
    const down = `Move down: ${chart}`;
    await page.getByRole("button", { name: down }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(() => names(page)).toEqual([records, sum, chart]);
    expect(await focused()).toBe(down);
    // It is the last.
    await page.keyboard.press("Enter");
    expect(await names(page)).toEqual([records, sum, chart]);
    const entries = blocks(page).locator(":scope > li");
    await entries.nth(2).dragTo(entries.nth(0), {
      sourcePosition: { x: 40, y: 15 },
      targetPosition: { x: 40, y: 15 },
    });
    await expect.poll(() => names(page)).toEqual([chart, records, sum]);
    await expect.poll(() => kinds(stage, as)).toEqual(["values", "records", "figure"]);
    // A move is undone like a removal.
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Your home is as before").waitFor();
    await expect.poll(() => names(page)).toEqual([records, sum, chart]);
    await page.getByRole("button", { name: `Move up: ${chart}` }).click();
    await page.getByRole("button", { name: `Move up: ${chart}` }).click();
    await expect.poll(() => kinds(stage, as)).toEqual(["values", "records", "figure"]);

    await remove(records).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => names(page)).toEqual([chart, sum]);
    await page.getByText("Products removed from your home page").waitFor();
    await visit.rest();
    await page.keyboard.press("Control+z");
    await page.getByText("Products is on your home page again").waitFor();
    await expect.poll(() => names(page)).toEqual([chart, records, sum]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.reload();
    await blocks(page).getByRole("region", { name: records, exact: true }).waitFor();
    expect(await kinds(stage, as)).toEqual(["values", "records", "figure"]);
  },
);

journey("a phone shows and arranges one column", async ({ stage, open }) => {
  const as = await stage.person("Arranges By Touch");
  await store(stage, as, { own: [{ id: "0", kind: "overview" }, ...three] });
  const visit = await open({ ...phone, as, at: "/", colorScheme: "dark" });
  const { page } = visit;
  await blocks(page)
    .getByRole("link", { name: /^Sum of Price: Products/ })
    .waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Arrange", exact: true }).tap();
  await page.getByRole("button", { name: `Move up: ${sum}` }).tap();
  await expect.poll(() => names(page)).toEqual(["Overview", sum, chart, records]);
  await visit.rest();
  await page.getByRole("button", { name: /^Remove Overview/ }).tap();
  await expect.poll(() => names(page)).toEqual([sum, chart, records]);
});

journey(
  "operators share a home, which others see until they arrange their own",
  async ({ stage, open }) => {
    const operator = await stage.person("Shares A Home", "admin");
    await store(stage, operator, {
      own: [...three, { id: "4", kind: "new", resource: "secrets" }],
    });
    const chief = await open({ as: operator, at: "/" });
    await chief.page.getByRole("button", { name: "Arrange", exact: true }).click();
    await chief.page.getByRole("button", { name: "Share with all accounts" }).click();
    await chief.page.getByText("Accounts that have not arranged their home see this one").waitFor();
    await chief.rest();

    const reader = await stage.person("Reads A Home");
    const visit = await open({ as: reader, at: "/" });
    const { page } = visit;
    await blocks(page).getByRole("region", { name: records, exact: true }).waitFor();
    // Nothing of what the reader may not see.
    expect(await blocks(page).locator(":scope > li").count()).toBe(3);
    await visit.rest();
    // Both at once: what the reader arranges is the reader's alone.
    await page.getByRole("button", { name: "Arrange", exact: true }).click();
    await page.getByText("Your role may not see “Secrets”.").waitFor();
    expect(await page.getByRole("button", { name: "Share with all accounts" }).count()).toBe(0);
    await page.getByRole("button", { name: new RegExp(`^Remove ${chart}`) }).click();
    await page.getByText(`${chart} removed from your home page`).waitFor();
    expect(await kinds(stage, reader)).toEqual(["figure", "records", "new"]);
    expect((await stored(stage, operator)).shared).toHaveLength(4);
    await chief.page.reload();
    await blocks(chief.page).getByRole("region", { name: chart }).waitFor();
    // The undo leaves no copy behind.
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(`${chart} is on your home page again`).waitFor();
    expect(await kinds(stage, reader)).toBeNull();
    await page.getByRole("button", { name: new RegExp(`^Remove ${chart}`) }).click();
    await page.getByText(`${chart} removed from your home page`).waitFor();
    await page.getByRole("button", { name: "Use the shared home" }).click();
    await page.getByText("Your home is the shared one").waitFor();
    expect(await kinds(stage, reader)).toBeNull();

    await chief.page.getByRole("button", { name: "Arrange", exact: true }).click();
    await chief.page.getByRole("button", { name: "Stop sharing" }).click();
    await chief.page.getByText("The home is no longer shared").waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Resources" }).waitFor();
    expect(await blocks(page).count()).toBe(0);
  },
);

journey("sharing needs a recent sign-in", async ({ stage, open }) => {
  const as = await stage.person("Shares Late", "admin");
  await store(stage, as, { own: three });
  const { page } = await open({ as, at: "/" });
  await stage.app.db.query(
    "update service.sessions set created_at = created_at - interval '25 hours' where user_id = $1",
    [as.id],
  );
  await page.getByRole("button", { name: "Arrange", exact: true }).click();
  await page.getByRole("button", { name: "Share with all accounts" }).click();
  await page.getByText("You signed in more than a day ago.").waitFor();
  await page.getByRole("button", { name: "Sign in again" }).click();
  await page.getByRole("heading", { name: /^Sign in/ }).waitFor();
});

journey("two windows of an account lose no block of each other", async ({ stage, open }) => {
  const as = await stage.person("Two Windows");
  await store(stage, as, { own: three });
  const one = await open({ as, at: "/" });
  await one.page.getByRole("button", { name: "Arrange", exact: true }).click();
  const other = await open({ as, at: "/data/products/charts" });
  await other.page.getByRole("button", { name: "Add to home: New Products" }).click();
  await other.page.getByText("New Products is on your home page").waitFor();
  await one.page.getByRole("button", { name: `Move up: ${sum}` }).click();
  await expect.poll(() => kinds(stage, as)).toEqual(["figure", "values", "records", "new"]);
  await expect.poll(() => names(one.page)).toHaveLength(4);
});

journey(
  "a block whose resource or field no longer exists reports it, and can be removed",
  async ({ stage, open }) => {
    const as = await stage.person("Outlives Fields");
    await store(stage, as, {
      own: [
        { id: "1", kind: "values", resource: "orders", field: "status" },
        { id: "2", kind: "chart", resource: "products", measure: "sum.weight", by: "status" },
        { id: "3", kind: "records", ...list, search: "filter[colour]=red", columns: null },
        { id: "4", kind: "poem" },
        { id: "5", kind: "figure", ...list, measure: "count" },
      ],
    });
    const visit = await open({ as, at: "/" });
    const { page } = visit;
    await page.getByText("The resource “orders” no longer exists.").waitFor();
    await page.getByText("Products no longer have “weight”.").waitFor();
    await page.getByText("The list of products no longer supports: filter[colour]").waitFor();
    await page.getByText("This version of the dashboard does not know this block.").waitFor();
    await page.getByRole("link", { name: /^Number: Products/ }).waitFor();
    await visit.rest();
    await page.getByRole("button", { name: "Remove orders" }).click();
    await page.getByText("orders removed from your home page").waitFor();
    await expect.poll(() => kinds(stage, as)).toEqual(["chart", "records", "poem", "figure"]);
  },
);

journey("what only links others is not on the usual home", async ({ stage, open }) => {
  const { page } = await open({ as: await stage.person("Sees Tiles"), at: "/" });
  const tiles = page.getByRole("region", { name: "Resources" });
  await tiles.getByRole("link", { name: /^Products/ }).waitFor();
  await tiles.getByRole("link", { name: /^Tags/ }).waitFor();
  expect(await tiles.getByRole("link").count()).toBe(2);
  expect(await page.getByRole("button", { name: "Arrange", exact: true }).count()).toBe(0);
});

journey("a full home takes no other block", async ({ stage, open }) => {
  const as = await stage.person("Fills It");
  await store(stage, as, { own: [{ id: "1", kind: "overview", more: "x".repeat(32_700) }] });
  const { page } = await open({ as, at: "/data/products/charts" });
  await page.getByRole("button", { name: "Add to home: By Status" }).click();
  await page.getByText("Your home page is full. Remove a block first.").waitFor();
  expect(await kinds(stage, as)).toEqual(["overview"]);
});
