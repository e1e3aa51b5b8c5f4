import type { Page } from "playwright-core";
import { expect } from "vitest";
import { products } from "./pages/list.js";
import { fresh, make } from "./pages/record.js";
import { journey } from "./support/journey.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

/** Opens the dialog by its key, types a term and takes what is offered first. */
async function jump(page: Page, term: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Jump to/ }).waitFor();
  await page.keyboard.type(term);
  await page.getByRole("dialog").getByRole("option", { selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

journey("Ctrl K creates, imports and exports records", async ({ stage, open }) => {
  const admin = await stage.person("Does Things", "admin");
  const { category } = await products(stage, admin, [fresh("Cheap"), fresh("Dear")]);
  const visit = await open({ as: admin, at: "/" });
  const { page } = visit;
  await jump(page, "new product");
  await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
  await jump(page, "import products");
  await page.getByRole("heading", { level: 1, name: "Import products" }).waitFor();

  // The list that is open is exported with its filters.
  await page.goto(`/data/products?filter[categoryId]=${category}&filter[price][lt]=2`);
  await page.getByText("1–1 of 1").waitFor();
  await jump(page, "export prod");
  const dialog = page.getByRole("dialog", { name: /^Export/ });
  await dialog.waitFor();
  await visit.rest();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(decodeURIComponent(page.url())).toContain("filter[price][lt]=2");
  // Asked once: a reload does not ask again.
  await page.reload();
  await page.getByText("1–1 of 1").waitFor();
  expect(await dialog.count()).toBe(0);
  // From elsewhere it is the whole list.
  await page.goto("/account/profile");
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  await jump(page, "export products");
  await dialog.waitFor();
  expect(new URL(page.url()).search).toBe("");
});

journey(
  "Ctrl K changes the theme, opens layers and signs out, by keys alone",
  async ({ stage, open }) => {
    const visit = await open({ as: await stage.person("Darkens"), at: "/account/profile" });
    const { page } = visit;
    const theme = () => page.evaluate("document.documentElement.dataset.theme ?? 'system'");
    await jump(page, "dark");
    expect(await theme()).toBe("dark");
    await jump(page, "theme system");
    expect(await theme()).toBe("system");
    await jump(page, "keyboard");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await jump(page, "sign out");
    await page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
  },
);

journey("results of Ctrl K are written as in lists", async ({ stage, open }) => {
  const admin = await stage.person("Finds Figures", "admin");
  const name = fresh("Figured");
  await make(stage, "categories", { name, position: 12345 });
  const visit = await open({ as: admin, at: "/data/categories", locale: "en-US" });
  const { page } = visit;
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Jump to/ }).fill(name);
  await page.getByRole("option", { name: `${name} 12,345` }).waitFor();
  // It is where the eye is, and no higher than what was found.
  const { y = 0, height = 0 } = (await page.getByRole("dialog").boundingBox()) ?? {};
  expect(y).toBeLessThan(900 / 3);
  expect(y + height).toBeLessThan(900 / 2);
  await visit.rest();
});

journey("on a phone it is opened and closed by touch", async ({ stage, open }) => {
  const visit = await open({ ...phone, as: await stage.person("Taps", "admin"), at: "/" });
  const { page } = visit;
  const button = page.getByRole("button", { name: /^Jump to/ });
  await button.tap();
  const box = page.getByRole("combobox", { name: /^Jump to/ });
  await box.waitFor();
  const pages = page.getByRole("group", { name: "Pages" });
  await pages.getByRole("option", { name: "Products", exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  await visit.rest();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await button.tap();
  await box.fill("new prod");
  await page.getByRole("option", { name: "New product" }).tap();
  await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
});
