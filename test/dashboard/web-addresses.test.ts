import { expect } from "vitest";
import { field, fresh, make } from "./pages/record.js";
import { journey } from "./support/journey.js";

const desk = { viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false } as const;
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

async function someone(stage: Parameters<typeof make>[0], name: string, more: object) {
  const email = `${crypto.randomUUID()}@example.com`;
  const made = await make(stage, "customers", { name, email, ...more });
  return { ...made, email };
}

const permissions = ["clipboard-read", "clipboard-write"];

journey("addresses in a list are links that can be copied", async ({ stage, open, notByTouch }) => {
  notByTouch("on a phone a row is one card; its addresses are links in the record");
  const name = fresh("Reached");
  const { email } = await someone(stage, name, {});
  const visit = await open({
    as: await stage.person("Reaches", "admin"),
    at: `/data/customers?q=${encodeURIComponent(name)}`,
    permissions,
  });
  const { page } = visit;
  const row = page.getByRole("row").nth(1);
  await row.waitFor();
  expect(await row.getByRole("link", { name: email }).getAttribute("href")).toBe(`mailto:${email}`);
  await row.getByRole("button", { name: `Copy ${email}` }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(email);
  await visit.rest();
});

journey(
  "addresses in a form are links that can be copied, and none of them runs anything",
  async ({ stage, open }) => {
    const website = "https://example.com/shop";
    const { id } = await someone(stage, fresh("Reached"), { website });
    const visit = await open({
      as: await stage.person("Reaches", "admin"),
      at: `/data/customers/${id}`,
      permissions,
    });
    const { page } = visit;
    const link = page.getByRole("link", { name: `Open ${website}` });
    expect(await link.getAttribute("href")).toBe(website);
    await page.getByRole("button", { name: `Copy ${website}` }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(website);
    await visit.rest();
    await field(page, "Website").fill("javascript:alert(1)");
    await link.waitFor({ state: "detached" });
    expect(await page.getByRole("main").locator('a[href^="javascript"]').count()).toBe(0);
    await page.getByRole("button", { name: "Discard" }).click();
  },
);

journey("a whole number is requested in plain words", async ({ stage, open }) => {
  const { page } = await open({
    as: await stage.person("Counts Whole", "admin"),
    at: "/data/products/new",
    locale: "en-US",
  });
  await field(page, "Stock").fill("1.5");
  await field(page, "Price").focus();
  await page.getByText("Must be a whole number", { exact: true }).waitFor();
});

journey("an old time is shown with its hour if no pointer can hover", async ({ stage, open }) => {
  const as = await stage.person("Touches Times", "admin");
  const made = await make(stage, "products", {
    name: fresh("Old"),
    price: 1,
    categoryId: (await make(stage, "categories", { name: fresh("Old") })).id,
    soldOutAt: "2020-03-04T15:06:07Z",
  });
  for (const [options, told] of [
    [desk, "Mar 4, 2020"],
    [phone, /^Mar 4, 2020, 3:06\sPM$/],
  ] as const) {
    const { page } = await open({
      ...options,
      as,
      at: "/data/visits",
      locale: "en-US",
      timezoneId: "UTC",
    });
    await page.route(`**/api/products/${made.id}`, async (route) => {
      const answer = await route.fetch();
      const old = { ...(await answer.json()), createdAt: "2020-03-04T15:06:07Z" };
      await route.fulfill({ response: answer, json: old });
    });
    await page.goto(`/data/products/${made.id}`);
    await page.getByText(told, { exact: true }).first().waitFor();
  }
});
