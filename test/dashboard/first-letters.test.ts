import { expect } from "vitest";
import { products } from "./pages/list.js";
import { field, fresh, pick } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "text typed after c and Ctrl+Enter is in the first field",
  async ({ stage, open, notByTouch }) => {
    notByTouch("it is about keys");
    const admin = await stage.person("First Letters", "admin");
    await products(stage, admin, [fresh("Lettered")]);
    const { page } = await open({ as: admin, at: "/data/products" });
    const name = fresh("Typed");
    await page.getByRole("row").nth(1).waitFor();
    await page.keyboard.press("c");
    await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("name");
    await page.keyboard.type(name);
    expect(await field(page, "Name").inputValue()).toBe(name);
    await field(page, "Price").fill("3");
    await pick(page, "Category", `All ${admin.email}`);
    await page.keyboard.press("Control+Enter");
    await page.getByText(`${name} created`).waitFor();
    await expect.poll(() => field(page, "Name").inputValue()).toBe("");
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("name");
    await page.keyboard.type("Next");
    expect(await field(page, "Name").inputValue()).toBe("Next");
  },
);

journey("a filter is typed: f, pri, Enter, <150, Enter", async ({ stage, open }) => {
  const admin = await stage.person("Types Filters", "admin");
  const names = [fresh("Cheap"), fresh("Dear")];
  const { category } = await products(stage, admin, names, (at) => ({ price: at * 999 + 1 }));
  const { page } = await open({
    as: admin,
    at: `/data/products?filter[categoryId]=${category}`,
    locale: "en-US",
  });
  await page.getByText("1–2 of 2").waitFor();
  await page.keyboard.press("f");
  await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("SELECT");
  await page.keyboard.type("pri");
  expect(await page.getByLabel("Field").inputValue()).toBe("price");
  await page.keyboard.press("Enter");
  await page.keyboard.type("<150");
  await page.keyboard.press("Enter");
  await expect.poll(() => decodeURIComponent(page.url())).toContain("filter[price][lt]=150");
  await page.getByText("1–1 of 1").waitFor();
  await page
    .getByText(names[0] ?? "")
    .first()
    .waitFor();
});
