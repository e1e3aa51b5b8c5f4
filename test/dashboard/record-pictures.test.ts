import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { products } from "./pages/list.js";
import { api, field, fresh, make, makeProduct, save } from "./pages/record.js";
import { draw, pictureFolder } from "./support/draw.js";
import { journey } from "./support/journey.js";
import type { Person, Stage } from "./support/stage.js";

interface Set {
  readonly page: Page;
  readonly stage: Stage;
  readonly person: Person;
  /** A product with a long description, a picture and reviews. */
  readonly product: { readonly id: string; readonly name: string };
  /** A category of six products. */
  readonly category: string;
}

type Scene = (set: Set) => Promise<unknown>;

const names = [
  "Sir Rodney's Marmalade",
  "Queso Cabrales",
  "Gumbär Gummibärchen",
  "Mishi Kobe Niku",
  "Northwoods Cranberry Sauce",
  "Uncle Bob's Organic Dried Pears from the orchards of the far north-west",
];

const list = ({ category }: Set, more = "") =>
  `/data/products?filter[categoryId]=${category}${more}`;

async function openList(set: Set, more = ""): Promise<void> {
  await set.page.goto(list(set, more));
  await set.page.locator("tbody tr").first().waitFor();
}

async function file(page: Page, button: string, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).first().click();
  const mimeType = name.endsWith("png") ? "image/png" : "application/pdf";
  await (await chooser).setFiles({ name, mimeType, buffer });
}

const picture = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();

const rows = (count: number, broken: boolean) => [
  "Name;price;Category;STATUS;remark",
  ...Array.from({ length: count }, (_, at) => {
    const price = broken && at % 9 === 3 ? "-1" : `${at},50`;
    return `${names[at % 6]} ${at} ${process.pid};${price};Imported tea;live;x`;
  }),
];

async function importFile({ page, stage }: Set): Promise<void> {
  await api(stage, "POST", "/categories", { name: "Imported tea" });
  await page.goto("/data/products/import");
  const buffer = Buffer.from(rows(40, true).join("\r\n"));
  const chosen = { name: "teas.csv", mimeType: "text/csv", buffer };
  await page.getByLabel(/^Choose (?:a|another) file$/).setInputFiles(chosen);
  await page.getByText(/rows can be imported/).waitFor();
}

async function conflict({ page, stage }: Set): Promise<void> {
  const description = "In a stone jar from Seville, for breakfast and for baking.";
  const product = await makeProduct(stage, { description, stock: 40 });
  await page.goto(`/data/products/${product.id}`);
  await field(page, "Price").fill("79");
  await field(page, "Description").fill(
    "In a glass jar from Seville, for breakfast and for baking.",
  );
  await field(page, "Stock").fill("36");
  await api(stage, "PATCH", `/products/${product.id}`, {
    price: 84.5,
    description: "In a stone jar from Seville, for breakfast, tea and baking.",
    status: "live",
  });
  await save(page);
  await page.getByRole("heading", { name: "Two versions" }).waitFor();
}

async function edit(set: Set): Promise<void> {
  const { page } = set;
  await openList(set);
  await page.getByRole("checkbox", { name: /^Select all/ }).check();
  await page.getByRole("button", { name: "Edit…" }).click();
  await page.getByRole("dialog").getByLabel("Field").selectOption("Stock");
  await page.getByRole("dialog").getByLabel("Stock").fill("12");
}

const scenes: Readonly<Record<string, Scene>> = {
  list: (set) => openList(set),
  "list-filters": async (set) => {
    const { page, category, stage } = set;
    const other = await make(stage, "categories", { name: fresh("Dairy products") });
    const both = `filter[categoryId][in]=${category},${other.id}`;
    const price = "filter[price][gte]=1&filter[price][lt]=2000&filter[status][in]=draft,live";
    const day = new Date().toISOString().slice(0, 10);
    await page.goto(`/data/products?${both}&${price}&day:createdAt=${day}&sort=-price,name`);
    await page.locator("tbody tr").first().waitFor();
  },
  "list-filter-links": async (set) => {
    const { page, category } = set;
    await openList(set, `&filter[categoryId][in]=${category}`);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByLabel("Field").selectOption("Category");
    await page.getByLabel("Condition").selectOption("is one of");
    await page.getByRole("combobox", { name: "Category" }).fill("All");
    await page.getByRole("listbox").getByRole("option").first().click();
  },
  "list-filter-day": async (set) => {
    await openList(set);
    await set.page.getByRole("button", { name: "Filter", exact: true }).click();
    await set.page.getByLabel("Field").selectOption("Sold out at");
    await set.page.getByLabel("Condition").selectOption("on");
  },
  "list-nothing": async (set) => {
    await set.page.goto(list(set, "&filter[price][gt]=100000"));
    await set.page.getByText("Nothing matches in “Products”.").waitFor();
  },
  "list-columns": async (set) => {
    await openList(set);
    await set.page.getByRole("button", { name: "Columns", exact: true }).click();
  },
  "list-views": async (set) => {
    const { page } = set;
    await openList(set, "&days:createdAt=7");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByLabel("Name of the view").fill("New in this week's box of breakfast things");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "View", exact: true }).click();
  },
  "list-selected": async (set) => {
    await openList(set);
    await set.page.getByRole("checkbox", { name: /^Select all/ }).check();
  },
  "quick-look": async (set) => {
    await openList(set, "&sort=-price");
    await set.page.keyboard.press("j");
    await set.page.keyboard.press("Space");
    await set.page.getByRole("link", { name: "Open product" }).waitFor();
  },
  "bulk-edit": edit,
  "bulk-edit-report": async (set) => {
    await edit(set);
    const { data } = (await api(set.stage, "GET", list(set).replace("/data", ""))).body as {
      data: readonly { id: string }[];
    };
    for (const { id } of data.slice(0, 2))
      await api(set.stage, "PATCH", `/products/${id}`, { stock: 7 });
    await set.page.getByRole("button", { name: /^Change \d/ }).click();
    await set.page.getByText("were refused").waitFor();
  },
  "bulk-delete": async (set) => {
    await openList(set);
    await set.page.getByRole("checkbox", { name: /^Select all/ }).check();
    await set.page.getByRole("button", { name: "Delete…" }).click();
    await set.page.getByRole("alertdialog").waitFor();
  },
  "delete-dependants": async ({ page, product }) => {
    await page.goto(`/data/products/${product.id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByRole("link").first().waitFor();
  },
  record: async ({ page, product }) => {
    await page.goto(`/data/products/${product.id}`);
    await field(page, "Stock").fill("3");
  },
  "record-errors": async ({ page }) => {
    await page.goto("/data/customers/new");
    await field(page, "Name").fill("X");
    await field(page, "Email").fill("nobody");
    await field(page, "Website").fill("ftp://example.com");
    await field(page, "Balance").fill("many");
    await save(page);
    await page.getByRole("alert").waitFor();
  },
  "record-tab": async ({ page, product }) => {
    await page.goto(`/data/products/${product.id}/reviews`);
    await page.getByRole("table").waitFor();
  },
  "record-tab-none": async ({ page, stage }) => {
    const { id } = await makeProduct(stage);
    await page.goto(`/data/products/${id}/reviews`);
    await page.getByText("Reviews: none yet.").waitFor();
  },
  "record-picker": async ({ page }) => {
    await page.goto("/data/products/new");
    await page.getByRole("combobox", { name: "Category" }).fill("All");
    await page.getByRole("option").first().waitFor();
  },
  "record-files": async ({ page, product }) => {
    await page.route("**/_service/uploads/**", () => new Promise(() => undefined));
    await page.goto(`/data/products/${product.id}`);
    await file(page, "Choose a file: Image", "marmalade, front of the jar.png", await picture(200));
    await file(page, "Choose a file: Manual", "how to open a jar.pdf", Buffer.alloc(0));
    await page.getByText("This file is empty.").scrollIntoViewIfNeeded();
  },
  "record-file-large": async ({ page, product }) => {
    await page.goto(`/data/products/${product.id}`);
    await file(page, "Choose a file: Image", "poster.png", Buffer.alloc(20_000_000, 1));
    await page.getByText(/is too large/).scrollIntoViewIfNeeded();
  },
  conflict,
  "conflict-chosen": async (set) => {
    await conflict(set);
    await set.page.getByRole("radio", { name: "Price: Mine" }).check();
    await set.page.getByRole("radio", { name: "Description: Theirs" }).check();
  },
  import: (set) => set.page.goto("/data/products/import"),
  "import-checked": importFile,
  "import-report": async (set) => {
    await importFile(set);
    await set.page.getByRole("button", { name: /^Import \d/ }).click();
    await set.page.getByText(/rows imported/).waitFor();
  },
  charts: async ({ page }) => {
    await page.goto("/data/products/charts");
    await page.getByRole("table").first().waitFor();
  },
  "home-numbers": ({ page }) => page.goto("/"),
  "list-api": async (set) => {
    await openList(set, "&sort=-price");
    await set.page.getByRole("link", { name: "API", exact: true }).click();
    await set.page
      .getByRole("region", { name: /^Response/ })
      .locator("pre")
      .waitFor();
  },
  "list-cell": async (set) => {
    await openList(set, "&sort=-price");
    await set.page.locator('td[data-field="price"]').first().dblclick();
  },
  "order-lines": async ({ page, stage, product }) => {
    const customer = await make(stage, "customers", {
      name: fresh("Berglunds"),
      email: `${fresh("berglund").replaceAll(" ", ".")}@example.com`,
    });
    const number = Math.floor(Math.random() * 1_000_000_000);
    const placed = { number, customerId: customer.id, placedAt: "2026-11-01T10:00:00Z" };
    const order = await make(stage, "orders", placed);
    const other = await makeProduct(stage);
    for (const { id } of [product, other]) {
      const item = { orderId: order.id, productId: id, unitPrice: 21.05, quantity: 12 };
      await make(stage, "order-items", item);
    }
    await page.goto(`/data/orders/${order.id}`);
    await page.getByRole("link", { name: /^Order items/ }).click();
    await page.getByRole("region", { name: "Order items", exact: true }).waitFor();
  },
  jump: async (set) => {
    await openList(set);
    await set.page.keyboard.press("Control+k");
    await set.page.getByRole("combobox", { name: /^Jump to/ }).fill("prod");
    await set.page.getByRole("dialog").getByRole("option").first().waitFor();
  },
};

let made: Promise<Pick<Set, "product" | "category">> | undefined;

async function makeThings(stage: Stage): Promise<Pick<Set, "product" | "category">> {
  const as = await stage.person("Breakfast", "admin");
  const { category, ids } = await products(stage, as, names.map(fresh), (at) => ({
    price: [81, 21.05, 31.23, 1_097, 40, 30][at],
    stock: [40, 22, 15, 0, 6, 15][at],
    status: ["live", "draft", "gone"][at % 3],
    description: "In a stone jar from Seville, for breakfast and for baking.",
    soldOutAt: at === 3 ? "2026-11-20T09:30:00Z" : null,
    active: at !== 3,
  }));
  const [id = ""] = ids;
  for (let at = 0; at < 4; at += 1) {
    const name = ["Ann Devon", "Aria Cruz", "Yoshi Tannamuri", "Paula Wilson"][at];
    const email = `${fresh("reader").replaceAll(" ", ".")}@example.com`;
    const customer = await make(stage, "customers", { name, email });
    const values = { rating: 5 - at, body: "As good as at home, and not too sweet." };
    await make(stage, "reviews", { ...values, productId: id, customerId: customer.id });
  }
  const { body } = await api(stage, "GET", `/products/${id}`);
  return { category, product: { id, name: (body as { name: string }).name } };
}

journey.runIf(pictureFolder !== undefined).for(Object.entries(scenes))(
  "%s is drawn",
  async ([name, show], { stage, open }) => {
    made ??= makeThings(stage);
    const things = await made;
    const person = await stage.person("Andrew Fuller", "admin");
    const visit = await open({ as: person, at: "/account/profile" });
    await show({ page: visit.page, stage, person, ...things });
    // An upload that is held back does not end.
    if (name !== "record-files") await visit.page.waitForLoadState("networkidle");
    await draw(visit, name);
    await visit.page.goto("about:blank");
  },
);
