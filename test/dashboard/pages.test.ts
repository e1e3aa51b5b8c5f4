import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey("pages are reached by their number, and the ends at once", async ({ stage, open }) => {
  const as = await stage.person("Pages", "admin");
  const category = await make(stage, "categories", { name: fresh("Paged") });
  for (let from = 0; from < 120; from += 60) {
    await api(stage, "POST", "/_service/batch", {
      operations: Array.from({ length: 60 }, (_, at) => ({
        create: "products",
        values: { name: fresh("Page"), price: from + at, categoryId: category.id },
      })),
    });
  }
  const at = `/data/products?filter[categoryId]=${category.id}&perPage=10`;
  const visit = await open({ as, at, locale: "en-US" });
  const { page } = visit;
  const range = (text: string) => page.getByRole("status").getByText(text, { exact: true });
  await range("1–10 of 120").waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Last page" }).click();
  await range("111–120 of 120").waitFor();
  await page.getByLabel("Page", { exact: true }).fill("5");
  await page.keyboard.press("Enter");
  await range("41–50 of 120").waitFor();
  await page.getByLabel("Page", { exact: true }).fill("999");
  await page.keyboard.press("Enter");
  await range("111–120 of 120").waitFor();
  await page.getByRole("button", { name: "First page" }).click();
  await range("1–10 of 120").waitFor();
  expect(await page.getByLabel("Page", { exact: true }).inputValue()).toBe("1");

  const phone = await open({ as, at, viewport: { width: 360, height: 740 }, hasTouch: true });
  await phone.page.getByRole("button", { name: "Last page" }).tap();
  await phone.page.getByRole("status").getByText("111–120 of 120").waitFor();
});
