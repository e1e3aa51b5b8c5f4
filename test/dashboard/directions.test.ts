import { expect } from "vitest";
import { products } from "./pages/list.js";
import { fresh } from "./pages/record.js";
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
