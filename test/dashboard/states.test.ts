import { expect } from "vitest";
import { products } from "./pages/list.js";
import { field, fresh, makeProduct } from "./pages/record.js";
import { findings } from "./support/axe.js";
import { journey } from "./support/journey.js";

journey(
  "a loading list has rows of the final height, and an empty one its own button",
  async ({ stage, open, notByTouch }) => {
    notByTouch("rows of a phone are cards of another height");
    await makeProduct(stage);
    const visit = await open({ as: await stage.person("Waits", "admin"), at: "/" });
    const { page } = visit;
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/api\/products\?/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByRole("link", { name: "Products" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Products" }).waitFor();
    const rows = page.getByRole("main").getByRole("status").locator(":scope > span:not(.hidden)");
    await rows.first().waitFor();
    expect((await rows.first().boundingBox())?.height).toBe(44);
    expect(await rows.first().locator("span").count()).toBeGreaterThan(3);
    expect(await findings(page)).toEqual([]);
    answer();
    await page.getByRole("row").nth(1).waitFor();

    // An answer without records.
    await page.route(/\/api\/visits\?/, (route) =>
      route.fulfill({
        json: { data: [], meta: { page: 1, perPage: 25, total: 0, totalPages: 0, etags: [] } },
      }),
    );
    await page.goto("/data/visits");
    await page.getByText("There are no visits yet").waitFor();
    const main = page.getByRole("main");
    expect(await main.getByRole("button", { name: "Next page" }).count()).toBe(0);
    await visit.rest();
    await main.locator(".state").getByRole("link", { name: "New visit" }).click();
    await page.getByRole("heading", { level: 1, name: "New visit" }).waitFor();
  },
);

/** By its label, where the text of a column's head and that of its first cell begin and end. */
const textEdges = `Object.fromEntries([...document.querySelectorAll("thead th bdi")].map((head) => {
  const cell = document.querySelector("tbody tr").cells[head.closest("th").cellIndex];
  const edges = [head, cell].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { left, right } = range.getBoundingClientRect();
    return { left: Math.round(left), right: Math.round(right) };
  });
  return [head.textContent, edges];
}))`;

journey("heads of columns are aligned with their values", async ({ stage, open, notByTouch }) => {
  notByTouch("a phone shows cards and no columns");
  const admin = await stage.person("Aligns", "admin");
  const { category } = await products(stage, admin, [fresh("Aligned")], () => ({ price: 1234.5 }));
  const { page } = await open({ as: admin, at: `/data/products?filter[categoryId]=${category}` });
  await page.getByText("1–1 of 1").waitFor();
  type Edges = readonly [Edge, Edge];
  type Edge = { readonly left: number; readonly right: number };
  const edges = await page.evaluate<Readonly<Record<string, Edges>>>(textEdges);
  for (const label of ["Price", "Stock"])
    expect(edges[label]?.[0].right).toBe(edges[label]?.[1].right);
  for (const label of ["Category", "Active"]) {
    expect(edges[label]?.[0].left).toBe(edges[label]?.[1].left);
  }
});

journey(
  "limits are shown when a value is near them, formatted as numbers",
  async ({ stage, open }) => {
    const { page } = await open({
      as: await stage.person("Bounded", "admin"),
      at: "/data/customers/new",
      locale: "en-US",
    });
    const balance = field(page, "Balance");
    await balance.fill("500");
    expect(await page.getByText("At most 1,000,000.00.").count()).toBe(0);
    await balance.fill("990000");
    await page.getByText("At most 1,000,000.00.").waitFor();
    await balance.fill("-950");
    await page.getByText("At least -1,000.00.").waitFor();
    const notes = field(page, "Notes");
    await notes.fill("Short.");
    expect(await page.getByText(/of 2,000 characters/).count()).toBe(0);
    await notes.fill("x".repeat(1_900));
    await page.getByText("1,900 of 2,000 characters.").waitFor();
  },
);

journey("a printed list is its table and nothing else", async ({ stage, open, notByTouch }) => {
  notByTouch("paper is wider than a phone");
  await makeProduct(stage);
  const { page } = await open({ as: await stage.person("Prints", "admin"), at: "/data/products" });
  await page.getByRole("row").nth(1).waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("table").isVisible()).toBe(true);
  expect(await page.locator("caption").isVisible()).toBe(true);
  for (const name of ["Export", "Columns", "Next page", "Filter"]) {
    expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
  }
  expect(await page.getByRole("checkbox").count()).toBe(0);
  expect(await page.getByRole("navigation").count()).toBe(0);
  // What was laid out for paper has moved, and has no focus.
  await page.goto("about:blank");
});

journey("the page has an icon with the app's own letter", async ({ stage, open }) => {
  const { page } = await open({ at: "/sign-in" });
  const href = await page.locator('link[rel="icon"]').getAttribute("href");
  const answer = await fetch(new URL(href ?? "", stage.url));
  expect(answer.headers.get("content-type")).toBe("image/svg+xml");
  expect(await answer.text()).toContain(`&#${"S".codePointAt(0)};</text>`);
});

journey(
  "a mail that does not arrive is sent again, below a note that it was sent",
  async ({ stage, open }) => {
    const { email } = await stage.person("Mailed Twice");
    const visit = await open({ at: "/sign-in" });
    const { page } = visit;
    await page.getByLabel("Email address").fill(email);
    await stage.mailAfter(email, () =>
      page.getByRole("button", { name: "Email me a sign-in link" }).click(),
    );
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await visit.rest();
    await stage.mailAfter(email, () => page.getByRole("button", { name: "Send it again" }).click());
    await page.getByText("Sent again. Only the newest one works.").waitFor();
    await page.getByRole("button", { name: "Sign in another way" }).click();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await page.getByRole("button", { name: "Send it again" }).waitFor();
    await visit.rest();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
  },
);
