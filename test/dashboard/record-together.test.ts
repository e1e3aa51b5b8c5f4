import { expect } from "vitest";
import { api, field, fresh, make, makeProduct, save } from "./pages/record.js";
import { changesStage } from "./support/changes-stage.js";
import { journey, journeyOn } from "./support/journey.js";

journey(
  "two people change one record: nothing is overwritten, and nothing chosen for them",
  async ({ stage, open }) => {
    const as = await stage.person("Laura Callahan", "editor");
    const product = await makeProduct(stage, { description: "In a stone jar.", stock: 40 });
    const visit = await open({ as, at: `/data/products/${product.id}` });
    const { page } = visit;
    await field(page, "Price").fill("79");
    await field(page, "Description").fill("In a glass jar.");
    await field(page, "Stock").fill("36");
    await api(stage, "PATCH", `/products/${product.id}`, {
      price: 84.5,
      description: "In a stone jar from Seville.",
      status: "live",
    });
    await save(page);
    await page.getByRole("heading", { name: "Two versions" }).waitFor();
    await visit.rest();
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.getByRole("status").getByText("2 fields left: Description, Price").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Stock" }).getByText("mine").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Status" }).getByText("theirs").waitFor();
    await page.getByRole("radio", { name: "Price: Mine" }).check();
    await page.getByRole("radio", { name: "Description: Theirs" }).check();

    // And once more, before it is saved.
    await api(stage, "PATCH", `/products/${product.id}`, { price: 90, active: false });
    await page.getByRole("button", { name: "Save merged" }).click();
    await page.getByRole("status").getByText("1 field left: Price").waitFor();
    const before = page.getByRole("row", { name: /^Price/ });
    await before.getByText("84.50").waitFor();
    await page.getByRole("radio", { name: "Price: Mine" }).check();
    await page.getByRole("button", { name: "Save merged" }).click();
    await page.getByText(`${product.name} saved`).waitFor();
    const { body } = await api(stage, "GET", `/products/${product.id}`);
    expect(body).toMatchObject({
      price: 79,
      stock: 36,
      description: "In a stone jar from Seville.",
      status: "live",
      active: false,
    });
    expect(await field(page, "Stock").inputValue()).toBe("36");
  },
);

journeyOn(changesStage)(
  "a merge names who saved the other version, and shows short texts whole",
  async ({ stage, open }) => {
    const { email } = await stage.person("Ada Stone", "clerk");
    const as = await stage.person("Ben Till", "admin");
    const good = await make(stage, "goods", { name: fresh("Jar"), description: "A stone jar." });
    const { page } = await open({ as, at: `/data/goods/${good.id}` });
    await field(page, "Description").fill("A glass jar.");
    const token = await stage.cookieOf({ id: "", name: "", email });
    const other = { ...stage, app: { ...stage.app, token } };
    const changed = { description: "A jar of clay.", price: 3 };
    expect((await api(other, "PATCH", `/goods/${good.id}`, changed)).status).toBe(200);
    await save(page);
    await page.getByText(/^Ada Stone saved this .*, while you were editing\.$/).waitFor();
    const row = page.getByRole("row", { name: /^Description/ });
    expect(await row.getByRole("cell").allTextContents()).toEqual([
      "BeforeA stone jar.",
      "Ada StoneA jar of clay.",
      "MineA glass jar.",
    ]);
    await page.getByRole("radio", { name: "Description: Ada Stone" }).check();
    await page.getByRole("listitem").filter({ hasText: "Price" }).getByText("Ada Stone").waitFor();
  },
);

journey(
  "a change elsewhere is shown on return to the window, and does not replace typed text",
  async ({ stage, open }) => {
    const as = await stage.person("Watchful", "editor");
    const product = await makeProduct(stage, { stock: 1 });
    const { page } = await open({ as, at: `/data/products/${product.id}` });
    await field(page, "Stock").waitFor();
    const asked = page.waitForResponse((answer) => answer.status() === 304);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await asked;
    await api(stage, "PATCH", `/products/${product.id}`, { stock: 2 });
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText(/^This was saved elsewhere/).waitFor();
    expect(await field(page, "Stock").inputValue()).toBe("1");
    await page.getByRole("button", { name: "Show the new version" }).click();
    expect(await field(page, "Stock").inputValue()).toBe("2");
    await api(stage, "DELETE", `/products/${product.id}`);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText("This was deleted elsewhere.").waitFor();
  },
);

journey(
  "a lost connection loses nothing, and repeating the save writes once",
  async ({ stage, open }) => {
    const as = await stage.person("Offline", "editor");
    const product = await makeProduct(stage);
    const visit = await open({ as, at: `/data/products/new?copy=${product.id}` });
    const { page } = visit;
    visit.allow(/net::ERR_|status of 503/);
    const name = fresh("Once");
    await field(page, "Name").fill(name);
    // The write reaches the server, and its answer does not come back.
    await page.route("**/api/products", async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    await save(page);
    await page.getByText("Not saved.").waitFor();
    await page.unroute("**/api/products");
    await page.route("**/api/products", (route) =>
      route.fulfill({ status: 503, headers: { "retry-after": "2" }, json: { error: "Busy" } }),
    );
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Not saved.").waitFor();
    await page.unroute("**/api/products");
    // A proxy in front takes less than the API.
    await page.route("**/api/products", (route) =>
      route.fulfill({
        status: 413,
        contentType: "text/html",
        body: "<h1>413 Request Entity Too Large</h1>",
      }),
    );
    await page.getByRole("button", { name: "Try again" }).click();
    const summary = page.getByRole("alert").filter({ hasText: "Not saved." });
    await summary
      .getByText("The request is too large for the proxy in front of the server (413).")
      .waitFor();
    await summary.getByText("Shorten the longest text, then save again.").waitFor();
    expect(await field(page, "Name").inputValue()).toBe(name);
    await page.unroute("**/api/products");
    await visit.context.setOffline(true);
    await save(page);
    await page.getByRole("button", { name: "Try again" }).waitFor();
    // Nothing is sent by itself when the connection is back.
    await visit.context.setOffline(false);
    await page.getByText("Not saved.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    const found = await api(stage, "GET", `/products?filter[name]=${encodeURIComponent(name)}`);
    expect(found.body).toMatchObject({ meta: { total: 1 } });
  },
);

journey(
  "unsaved changes survive a reload as a draft, and leaving asks about them",
  async ({ stage, open }) => {
    const as = await stage.person("Distracted", "editor");
    const product = await makeProduct(stage, { stock: 5 });
    const visit = await open({ as, at: `/data/products/${product.id}` });
    const { page } = visit;
    await field(page, "Stock").fill("6");
    await page.reload();
    await page.getByText(/You left unsaved changes/).waitFor();
    expect(await field(page, "Stock").inputValue()).toBe("5");
    await visit.rest();
    await page.getByRole("button", { name: "Restore them" }).click();
    expect(await field(page, "Stock").inputValue()).toBe("6");
    await page.getByRole("link", { name: "Home" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await dialog.getByText("1 changed field is not saved").waitFor();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await page
      .getByRole("navigation", { name: "Product", exact: true })
      .getByRole("link", { name: /^Reviews/ })
      .click();
    await page.getByText("Reviews: none yet.").waitFor();
    await page.getByRole("link", { name: "Details" }).last().click();
    expect(await field(page, "Stock").inputValue()).toBe("6");
    await page.getByRole("link", { name: "Home" }).click();
    await dialog.getByRole("button", { name: "Leave", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: /^Hello/ }).waitFor();

    // Changed elsewhere meanwhile: the draft meets the new version.
    await api(stage, "PATCH", `/products/${product.id}`, { stock: 9 });
    await page.goto(`/data/products/${product.id}`);
    await page.getByRole("button", { name: "Restore them" }).click();
    await page.getByRole("heading", { name: "Two versions" }).waitFor();
    await page.getByRole("button", { name: "Discard mine, show theirs" }).click();
    expect(await field(page, "Stock").inputValue()).toBe("9");
    await page.reload();
    await field(page, "Stock").waitFor();
    expect(await page.getByText(/You left unsaved changes/).count()).toBe(0);
  },
);

journey(
  "a form with given values leaves the draft of a new record alone",
  async ({ stage, open }) => {
    const as = await stage.person("Doubler", "editor");
    const product = await makeProduct(stage);
    const visit = await open({ as, at: "/data/products/new" });
    const { page } = visit;
    await field(page, "Name").fill("Half a product");
    await page.goto(`/data/products/${product.id}`);
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
    await expect.poll(() => field(page, "Price").inputValue()).toBe("4.50");
    // What is typed is stored when the page goes.
    await page.goto("/data/products/new");
    await page.getByRole("button", { name: "Restore them" }).click();
    expect(await field(page, "Name").inputValue()).toBe("Half a product");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("heading", { name: /^Hello/ }).waitFor();
  },
);

journey("an ended session keeps typed text", async ({ stage, open }) => {
  const as = await stage.person("Ended", "editor");
  const product = await makeProduct(stage, { stock: 5 });
  const { page } = await open({ as, at: `/data/products/${product.id}` });
  await field(page, "Stock").fill("11");
  await stage.app.db.query("delete from service.sessions where user_id = $1", [as.id]);
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel(/^Password for/).fill("correct horse battery staple");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText(`${product.name} saved`).waitFor();
  const { body } = await api(stage, "GET", `/products/${product.id}`);
  expect(body).toMatchObject({ stock: 11 });
});
