import { expect } from "vitest";
import { products } from "./pages/list.js";
import { fresh, makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey("Hebrew and Arabic run from the right, in fields and titles", async ({ stage, open }) => {
  const admin = await stage.person("Directions", "admin");
  const name = fresh("תה ירוק");
  const { ids } = await products(stage, admin, [name]);
  const { page } = await open({ as: admin, at: `/data/products/${ids[0]}` });
  await page.getByRole("heading", { level: 1, name }).waitFor();
  const directions = await page.evaluate(
    `["h1", "input[name=name]", "input[name=price]"].map((one) =>
      getComputedStyle(document.querySelector(one)).direction)`,
  );
  expect(directions).toEqual(["rtl", "rtl", "ltr"]);
});

journey("a right-to-left text is truncated at its own end", async ({ stage, open }) => {
  const as = await stage.person("Cuts", "admin");
  const name = `${fresh("שם")} ${"ארוך מאוד ".repeat(10)}`.trim();
  const product = await makeProduct(stage, { name });
  const { page } = await open({
    as,
    at: `/data/products?filter[categoryId]=${product.categoryId}`,
  });
  const title = page.getByRole("link", { name, exact: true });
  await title.waitFor();
  const cut = await page.evaluate(`(() => {
    const text = document.querySelector("tbody a.title bdi");
    const { direction, display, textOverflow } = getComputedStyle(text);
    return { direction, display, textOverflow, isCut: text.scrollWidth > text.clientWidth };
  })()`);
  expect(cut).toEqual({
    direction: "rtl",
    display: "block",
    textOverflow: "ellipsis",
    isCut: true,
  });
});
