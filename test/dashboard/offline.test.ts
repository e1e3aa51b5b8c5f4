import { journey } from "./support/journey.js";

journey(
  "a screen that was never loaded comes by itself with the network",
  async ({ stage, open }) => {
    const visit = await open({ as: await stage.person("Offline", "admin"), at: "/data/products" });
    const { page, context } = visit;
    visit.allow(/ERR_INTERNET_DISCONNECTED|dynamically imported module|preload CSS/);
    await context.setOffline(true);
    await page.getByRole("link", { name: "Accounts" }).first().click();
    await page
      .getByText("The network is gone. This page comes by itself when it is back.")
      .waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    await page.getByRole("link", { name: "Offline" }).first().waitFor();
  },
);

journey("a 503 is the server's trouble, not the connection's", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Outage", "admin"), at: "/" });
  const { page } = visit;
  visit.allow(/status of 503/);
  await page.route(/\/api\/products\?/, (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.goto("/data/products");
  await page.getByText("The server cannot answer at the moment. Try again in a while.").waitFor();
  await page.unroute(/\/api\/products\?/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table").waitFor();
});
