import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Client, client } from "../support/http/client.js";
import { fresh } from "./pages/record.js";
import { journey } from "./support/journey.js";
import type { Stage } from "./support/stage.js";

interface Made {
  readonly id: string;
}

/** Two products with reviews of theirs: some approved, some happy, some of this month. */
async function reviewed(api: Client, name: string): Promise<void> {
  const category = (await api.post<Made>("/categories", { name: `Category of ${name}` })).body;
  for (const [at, ratings] of [
    [1, [5, 4, 5]],
    [2, [1]],
  ] as const) {
    const product = { name: `${name} ${at}`, price: at, categoryId: category.id };
    const { body } = await api.post<Made>("/products", product);
    for (const rating of ratings) {
      const customer = { name: `${name} ${at}`, email: `${crypto.randomUUID()}@example.com` };
      const { id } = (await api.post<Made>("/customers", customer)).body;
      const review = {
        productId: body.id,
        customerId: id,
        rating,
        body: "It was as it was.",
        mood: rating > 3 ? "happy" : null,
        approved: rating === 5,
      };
      expect((await api.post("/reviews", review)).status).toBe(201);
    }
  }
}

const apiOf = (stage: Stage) => client(stage.app.url, stage.app.token);

async function totalOf(api: Client, resource: string): Promise<string> {
  const { body } = await api.get<{ total: number }>(`/${resource}/_stats?days=90`);
  return body.total.toLocaleString("en");
}

function panel(page: Page, name: string | RegExp) {
  return page.getByRole("region", { name });
}

journey(
  "home has a tile with the totals of each resource, and the address keeps its period",
  async ({ stage, open }) => {
    const api = apiOf(stage);
    await reviewed(api, fresh("Tiled tea"));
    const total = await totalOf(api, "reviews");
    const visit = await open({ as: await stage.person("Teller", "admin"), at: "/" });
    const { page } = visit;
    const tile = page.getByRole("main").getByRole("link", { name: /^Reviews/ });
    await tile.getByText(`${total} new`).waitFor();
    expect(await tile.textContent()).toContain(`Reviews${total}${total} new, 0 before`);
    await page.getByLabel("Period").selectOption("Last 7 days");
    await expect.poll(() => new URL(page.url()).search).toBe("?days=7");
    await page.reload();
    expect(await page.getByLabel("Period").inputValue()).toBe("7");
    await page.getByLabel("Shown below").last().selectOption("Reviews");
    await panel(page, "Reviews by day").getByRole("img").waitFor();
    await panel(page, "Newest reviews").getByRole("listitem").first().waitFor();
    await visit.rest();
    await tile.click();
    await page.getByRole("heading", { level: 1, name: "Reviews" }).waitFor();
    await page.getByRole("link", { name: "Charts" }).click();
    await page.getByRole("heading", { level: 1, name: "Reviews in numbers" }).waitFor();
    await page.getByRole("link", { name: "All" }).click();
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Import reviews" }).waitFor();
  },
);

journey(
  "home shows at most five tiles, none of them empty, and a chart without scrolling",
  async ({ stage, open }) => {
    const api = apiOf(stage);
    await reviewed(api, fresh("Glanced tea"));
    // That there is room for the chart is said of this size.
    const viewport = { width: 1440, height: 900 };
    const visit = await open({ as: await stage.person("Glancer", "admin"), viewport });
    const { page } = visit;
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith("/_stats")) asked.push(pathname);
    });
    await page.goto("/");
    const tiles = page.getByRole("region", { name: "Resources" }).getByRole("listitem");
    await tiles.first().getByText("new").waitFor();
    await page.waitForLoadState("networkidle");
    const texts = await tiles.allTextContents();
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.length).toBeLessThanOrEqual(5);
    expect(texts.filter((text) => /^\D+0\D/.test(text))).toEqual([]);
    expect(
      await page
        .getByRole("main")
        .getByRole("link", { name: /account/i })
        .count(),
    ).toBe(0);
    expect(new Set(asked).size).toBe(asked.length);
    const chart = page.getByRole("img", { name: / by week\. / }).first();
    await chart.waitFor();
    const { y = 0, height = 0 } = (await chart.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(900);

    // What is shown below the tiles is not empty either, however much it leads to.
    const answers = /\/api\/(?:orders|order-items)\/_stats/;
    await page.route(answers, async (route) => {
      const response = await route.fetch();
      const stats = (await response.json()) as object;
      await route.fulfill({ response, json: { ...stats, total: 0 } });
    });
    await page.reload();
    const below = page.getByRole("region", { name: "Shown below" });
    await below.getByRole("img", { name: / by week\. / }).waitFor();
    expect(await below.getByRole("heading", { level: 2 }).first().innerText()).not.toMatch(
      /^Order/,
    );
  },
);

journey("a caller who may see no numbers finds the lists", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Numberless") });
  const { page } = visit;
  await page.route("**/api/_service/resources", async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: readonly { can: object }[] };
    const closed = data.map((one) => ({
      ...one,
      can: { ...one.can, stats: false, create: false },
    }));
    await route.fulfill({ response: answer, json: { data: closed } });
  });
  await page.goto("/");
  await page.getByRole("heading", { name: "Lists that you may read" }).waitFor();
  await visit.rest();
  await page.getByRole("main").getByRole("link", { name: "Reviews" }).click();
  await page.getByRole("heading", { level: 1, name: "Reviews" }).waitFor();
});

journey(
  "charts show new records, values and sums, each as a table too",
  async ({ stage, open }) => {
    const api = apiOf(stage);
    await reviewed(api, fresh("Charted tea"));
    const { body: stats } = await api.get<{ total: number; values: Record<string, number> }>(
      "/reviews/_stats?field=mood",
    );
    const visit = await open({
      as: await stage.person("Counter", "admin"),
      at: "/data/reviews/charts",
      timezoneId: "Pacific/Auckland",
    });
    const { page } = visit;
    const added = panel(page, "New by week");
    await added
      .getByRole("img", { name: /^New by week\. 13 bars|^New by week\. 14 bars/ })
      .waitFor();
    await added.getByText("Pacific/Auckland; the lighter week is still in progress").waitFor();
    const moods = panel(page, "By Mood");
    await moods.scrollIntoViewIfNeeded();
    await moods.getByRole("listitem").first().waitFor();
    const empty = stats.total - Object.values(stats.values).reduce((sum, one) => sum + one, 0);
    const expected = [
      `happy${stats.values.happy}`,
      `so-so${stats.values["so-so"]}`,
      `angry${stats.values.angry}`,
      `empty${empty}`,
    ];
    expect(await moods.getByRole("listitem").allTextContents()).toEqual(expected);
    await moods.getByRole("button", { name: "Show as table: By Mood" }).click();
    const rows = await moods.getByRole("row").allTextContents();
    expect(rows).toEqual(["MoodNumber", ...expected]);
    await visit.rest();
    await moods.getByRole("button", { name: "Show as chart: By Mood" }).click();
    await moods.getByRole("list").waitFor();
    await added.getByRole("button", { name: "Show as table: New by week" }).click();
    expect(await added.getByRole("row").last().textContent()).toMatch(
      new RegExp(`^Week of .*\\(in progress\\)${stats.total}$`),
    );
    await page.getByLabel("Period").selectOption("Last 30 days");
    await panel(page, "New by day").getByRole("row").nth(30).waitFor();
    const figures = panel(page, "Sums and averages").first();
    await figures.scrollIntoViewIfNeeded();
    await expect
      .poll(() => figures.getByRole("row").last().textContent())
      .toMatch(/^Rating\d+\d\.\d\d15$/);
  },
);

journey("a measure by a link names the records, largest first", async ({ stage, open }) => {
  const tea = fresh("Summed tea");
  await reviewed(apiOf(stage), tea);
  const visit = await open({
    as: await stage.person("Summer", "admin"),
    at: "/data/reviews/charts",
  });
  const { page } = visit;
  const sums = panel(page, "Sum of Rating by Product");
  await sums.getByText(`${tea} 1`).waitFor();
  const items = await sums.getByRole("listitem").allTextContents();
  expect(items).toContain(`${tea} 114`);
  expect(items.indexOf(`${tea} 114`)).toBeLessThan(items.indexOf(`${tea} 21`));
  await page.getByLabel("Measure").selectOption("Average of Rating");
  await panel(page, "Average of Rating by Product").getByText("4.67").first().waitFor();
  await page.getByLabel("Group by").selectOption("Approved");
  await panel(page, "Average of Rating by Approved").getByText("yes").waitFor();
  await page.getByLabel("Group by").selectOption("month of Visited on");
  const months = panel(page, "Average of Rating by month of Visited on");
  await months.getByRole("img").waitFor();
  await visit.rest();
  await page.reload();
  await months.getByRole("img").waitFor();
  expect(new URL(page.url()).search).toBe("?measure=avg.rating&by=visitedOn");
});

journey(
  "a caller who may count and not list is led from the tile to the charts",
  async ({ stage, open }) => {
    await apiOf(stage).post("/coupons", { code: "COUNTED1", discount: 0.2, channel: "web" });
    const visit = await open({ as: await stage.person("Member"), at: "/" });
    const { page } = visit;
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Coupons/ })
      .click();
    await page.getByRole("heading", { level: 1, name: "Coupons in numbers" }).waitFor();
    await panel(page, "Sum of Discount by month of Created").getByRole("img").waitFor();
    expect(await page.getByRole("link", { name: "All", exact: true }).count()).toBe(0);
  },
);

journey("charts without data show that there is none", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Reader"), at: "/data/visits/charts" });
  await visit.page.getByText("There are no visits yet").waitFor();
});

journey.for(["/", "/data/reviews/charts", "/data/orders/charts"])(
  "%s shows its numbers without layout faults at every width",
  async (path, { stage, open }) => {
    await reviewed(apiOf(stage), fresh("Wide tea"));
    const visit = await open({ as: await stage.person("Wide", "admin"), at: path });
    for (const width of [1440, 768, 360]) {
      await visit.page.setViewportSize({ width, height: 800 });
      await visit.rest();
    }
  },
);
