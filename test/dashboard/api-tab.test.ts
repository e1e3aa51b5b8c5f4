import { expect } from "vitest";
import { products } from "./pages/list.js";
import { fresh } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "operators see how a program requests the open list, and its answer",
  async ({ stage, open }) => {
    const admin = await stage.person("Programs Lists", "admin");
    const names = [fresh("Asked"), fresh("Answered")];
    const { category } = await products(stage, admin, names);
    const at = `/data/products?filter[categoryId]=${category}&filter[price][lt]=2&sort=-price`;
    const visit = await open({ as: admin, at });
    const { page } = visit;
    await page.getByText("1–1 of 1").waitFor();
    await page.getByRole("link", { name: "API", exact: true }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Products by API" }).waitFor();
    const code = (name: string | RegExp) => page.getByRole("region", { name }).locator("pre");
    const address = await code("Address").innerText();
    expect(address).toBe(
      `/api/products?filter[categoryId]=${category}&filter[price][lt]=2&sort=-price`,
    );
    expect(await code("curl").innerText()).toContain(address);
    expect(await code("Generated client").innerText()).toContain("lt: 2,");
    await code(/^Response/).waitFor();
    const shown = JSON.parse(await code(/^Response/).innerText()) as {
      data: readonly { name: string }[];
    };
    expect(shown.data.map(({ name }) => name)).toEqual([names[0]]);
    await visit.rest();
    // The address works as it stands.
    const answer = await fetch(stage.app.url + address, {
      headers: { authorization: `Bearer ${stage.app.token}`, accept: "application/json" },
    });
    expect(answer.status).toBe(200);
    await page.setViewportSize({ width: 360, height: 740 });
    await visit.rest();
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.getByText("1–1 of 1").waitFor();
  },
);

journey("other callers have no API tab", async ({ stage, open }) => {
  const { page } = await open({
    as: await stage.person("Only Lists", "editor"),
    at: "/data/products",
  });
  await page.getByRole("link", { name: "All" }).first().waitFor();
  expect(await page.getByRole("link", { name: "API", exact: true }).count()).toBe(0);
});
