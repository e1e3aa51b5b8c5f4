import { expect } from "vitest";
import { fresh, make } from "./pages/record.js";
import { fromHome, stored, taskJourney } from "./support/twelve.js";

taskJourney(
  "fifteen prices are corrected one below the other by keys, as fast as they are typed",
  async ({ stage, open, notByTouch }) => {
    notByTouch("it is about keys; on a phone a row is one card");
    const prefix = fresh("Tea");
    for (let at = 0; at < 15; at += 1) {
      await make(stage, "goods", { name: `${prefix} ${String(at).padStart(2, "0")}`, price: 1 });
    }
    const { page } = await open({ as: await stage.person("Types Fast", "clerk"), at: "/" });
    // What is typed while the editor loads is not lost.
    await page.route("**/cell-editor*.js", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await fromHome(page, "Goods");
    await page.getByRole("searchbox", { name: /^Search/ }).fill(prefix);
    await page.getByText("1–15 of 15").waitFor();
    await page.locator('td[data-field="price"]').first().focus();
    for (let at = 0; at < 15; at += 1) {
      await page.keyboard.press("Enter");
      await page.keyboard.type(String(at + 10));
      await page.keyboard.press("Enter");
      await page.keyboard.press("ArrowDown");
    }
    const prices = async () => {
      const { data } = (await stored(stage, `/goods?q=${encodeURIComponent(prefix)}`)) as {
        data: readonly { price: number }[];
      };
      return data.map(({ price }) => price);
    };
    await expect.poll(prices).toEqual(Array.from({ length: 15 }, (_, at) => at + 10));
  },
);

taskJourney(
  "a double click opens a price, whose value is replaced by what is typed",
  async ({ stage, open, notByTouch }) => {
    notByTouch("a phone has no double click");
    const name = fresh("Chai");
    const { id } = await make(stage, "goods", { name, price: 1 });
    const { page } = await open({ as: await stage.person("Clicks Twice", "clerk") });
    await page.goto(`/data/goods?q=${encodeURIComponent(name)}`);
    await page.locator('td[data-field="price"]').first().dblclick();
    await page.keyboard.type("23");
    await page.keyboard.press("Enter");
    await expect.poll(() => stored(stage, `/goods/${id}`)).toMatchObject({ price: 23 });
  },
);
