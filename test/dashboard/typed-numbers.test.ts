import type { Page } from "playwright-core";
import { expect } from "vitest";
import { products } from "./pages/list.js";
import { api, field, fresh, make, makeProduct, save } from "./pages/record.js";
import { journey } from "./support/journey.js";

/** The text in a field after it was left, and its error. */
async function left(page: Page, label: string, typed: string): Promise<readonly string[]> {
  const input = field(page, label);
  await input.fill(typed);
  await input.press("Tab");
  const error = input.locator("xpath=..").locator(".error");
  const isWrong = (await input.getAttribute("aria-invalid")) === "true";
  return [await input.inputValue(), ...(isWrong ? [(await error.textContent()) ?? ""] : [])];
}

const two = (one: string, other: string) => `This number is ambiguous: write ${one} or ${other}`;
const as = (form: string) => `Must be a number, written as ${form}`;

type Cases = readonly (readonly [typed: string, left: string, error?: string | RegExp])[];

const inLocale: Readonly<Record<string, Cases>> = {
  "en-US": [
    ["1000", "1,000.00"],
    ["1,000", "1,000.00"],
    ["1,234.50", "1,234.50"],
    ["1.000", "1.00"],
    ["12.5", "12.50"],
    ["1 000", "1,000.00"],
    ["\u221212.5", "-12.50"],
    ["1e2", "100.00"],
    ["12,5", "12,5", two("12.5", "125")],
    ["1\u202f000,5", "1\u202f000,5", two("1,000.5", "10,005")],
    ["1.234,50", "1.234,50", as("1,234.5")],
    ["1,00,000", "1,00,000", as("100,000")],
    ["1 2", "1 2", "Must be a number"],
    ["١٢", "١٢", "Must be a number"],
  ],
  "de-DE": [
    ["1000", "1.000,00"],
    ["1.000", "1.000,00"],
    ["1.234,50", "1.234,50"],
    ["12,5", "12,50"],
    ["12.5", "12.5", two("12,5", "125")],
    ["1,234.50", "1,234.50", as("1.234,5")],
  ],
  "fr-FR": [["1\u202f234,5", "1\u202f234,50"]],
  "de-CH": [["1'000", "1'000.00"]],
  "ar-EG": [["١٬٢٣٤٫٥", "١٬٢٣٤٫٥٠"]],
  "hi-IN": [["2,34,567.5", "2,34,567.50"]],
};

journey.for(Object.entries(inLocale))(
  "a number is read in the reader's notation, or stays as it was typed (%s)",
  async ([locale, cases], { stage, open }) => {
    const editor = await stage.person("Types Numbers", "editor");
    const { page } = await open({ as: editor, at: "/data/customers/new", locale });
    expect(await page.evaluate("navigator.language")).toBe(locale);
    for (const [typed, value, error] of cases) {
      const expected = error === undefined ? [value] : [value, expect.stringMatching(error)];
      expect(await left(page, "Balance", typed), typed).toEqual(expected);
    }
  },
);

journey("a pasted 1,000 is a thousand, and 1.000,50 needs a choice", async ({ stage, open }) => {
  const product = await makeProduct(stage, { price: 1234.5, stock: 3 });
  const editor = await stage.person("Pastes", "editor");
  const visit = await open({
    as: editor,
    at: `/data/products/${product.id}`,
    locale: "en-US",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = visit;
  // As the list shows it.
  expect(await field(page, "Price").inputValue()).toBe("1,234.50");
  const paste = async (label: string, copied: string) => {
    await page.evaluate(`navigator.clipboard.writeText('${copied}')`);
    await field(page, label).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+v");
  };
  await paste("Stock", "1,000");
  await paste("Price", "12,5");
  await save(page);
  await page.getByText(two("12.5", "125")).first().waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Price: 12.5", exact: true }).click();
  await save(page);
  await page.getByText(`${product.name} saved`).waitFor();
  const { body } = await api(stage, "GET", `/products/${product.id}`);
  expect(body).toMatchObject({ price: 12.5, stock: 1000 });
});

journey(
  "a filter and a bulk edit read numbers in the reader's notation",
  async ({ stage, open }) => {
    const person = await stage.person("Filters Numbers", "admin");
    const names = [`Cheap ${person.email}`, `Dear ${person.email}`];
    const { category } = await products(stage, person, names, (at) => ({ price: at * 999 + 1 }));
    const list = `/data/products?filter[categoryId]=${category}`;
    const visit = await open({ as: person, at: list, locale: "de-DE" });
    const { page } = visit;
    const value = page.getByLabel("Value");
    const apply = page.getByRole("button", { name: "Apply" });
    const refuses = async (typed: string, message: string) => {
      await value.fill(typed);
      await apply.click();
      await page.getByRole("alert").getByText(message, { exact: true }).waitFor();
      expect(await value.inputValue()).toBe(typed);
    };
    const shows = (asked: string) =>
      expect.poll(() => decodeURIComponent(page.url())).toContain(asked);

    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByLabel("Field").selectOption("Price");
    await page.getByLabel("Condition").selectOption("at least");
    await refuses("1,000.50", two("1.000,5", "1,0005"));
    await visit.rest();
    await refuses("many", "Must be a number");
    expect(page.url()).not.toContain("gte");
    await value.fill("1.000");
    await apply.click();
    await shows("filter[price][gte]=1000");
    await page.getByText("1–1 of 1").waitFor();

    // Its bound above, and a list of values from an address.
    await page.goto(`${list}&filter[price][lte]=1000&filter[price][in]=1,1000`);
    await page.getByRole("button", { name: /^Price at most 1\.000/ }).click();
    expect(await value.inputValue()).toBe("1.000");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Price is one of 1 oder 1\.000/ }).click();
    expect(await value.inputValue()).toBe("1; 1.000");
    await refuses("12.5", `${two("12,5", "125")}. Semicolons separate several numbers`);
    await value.fill("1; 999");
    await apply.click();
    await shows("filter[price][in]=1,999");
    await page.getByText("1–1 of 1").waitFor();

    await page.getByRole("checkbox", { name: `Select ${names[0]}` }).check();
    await page.getByRole("toolbar").getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 1 product" });
    await dialog.getByLabel("Field").selectOption("Price");
    await dialog.getByLabel("Price", { exact: true }).fill("12.5");
    await dialog.getByRole("button", { name: "Change 1 product" }).click();
    await dialog.getByText(two("12,5", "125")).waitFor();
    expect(await dialog.getByLabel("Price", { exact: true }).inputValue()).toBe("12.5");
  },
);

journey("a file's numbers are read in the file's notation", async ({ stage, open }) => {
  const admin = await stage.person("Imports Numbers", "admin");
  const visit = await open({ as: admin, at: "/data/products/import", locale: "en-US" });
  const { page } = visit;
  const { name } = await make(stage, "categories", { name: fresh("Numbered") });
  const choose = async (rows: readonly string[]) => {
    const buffer = Buffer.from(rows.join("\r\n"));
    const file = { name: "prices.csv", mimeType: "text/csv", buffer };
    await page.getByLabel(/^Choose (?:a|another) file$/).setInputFiles(file);
  };
  const problems = page.getByRole("region", { name: "Rows with problems" }).getByRole("row");
  const preview = page.getByRole("region", { name: "The first rows as they will be sent" });
  const way = page.getByLabel("How price writes numbers");
  await choose([
    "name;price;stock;Category",
    `A;1.000;5;${name}`,
    `B;1.000,50;1.000;${name}`,
    `C;1,000.50;1.000;${name}`,
  ]);
  // One row writes otherwise, so no way is that of the whole column.
  await page.getByText("2 rows can be imported. 1 row cannot be imported").waitFor();
  expect(await way.inputValue()).toBe("");
  expect(await problems.allTextContents()).toEqual([
    "LineColumnCellProblem",
    `2price1.000${two("1", "1000")}`,
  ]);
  await choose(["name;price;stock;Category", `A;1.000;5;${name}`, `B;1.000,50;1.000;${name}`]);
  await page.getByText("2 rows can be imported.").waitFor();
  expect(await way.inputValue()).toBe("comma");
  expect(await preview.getByRole("row").allTextContents()).toEqual([
    expect.any(String),
    expect.stringContaining("1000.00"),
    expect.stringContaining("1000.50"),
  ]);
  await visit.rest();
  await way.selectOption("point");
  await page.getByText("1 row can be imported. 1 row cannot be imported").waitFor();
  expect(await problems.allTextContents()).toContain(`3price1.000,50${as("1,000.5")}`);
});

journey("a record is found by a number in any notation", async ({ stage, open }) => {
  const customer = await make(stage, "customers", {
    name: fresh("Finder"),
    email: `${fresh("finder").replaceAll(" ", "")}@example.com`,
  });
  const number = 1_000_000 + Math.floor(Math.random() * 1_000);
  const order = { number, customerId: customer.id, placedAt: "2026-01-01T00:00:00Z" };
  await make(stage, "orders", order);
  const admin = await stage.person("Finds Numbers", "admin");
  const { page } = await open({ as: admin, at: "/data/order-items/new", locale: "en-US" });
  await page.getByRole("combobox", { name: "Order" }).fill(number.toLocaleString("en-US"));
  await page
    .getByRole("option", { name: String(number) })
    .first()
    .click();
});
