import sharp from "sharp";
import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { fromHome, order, stored, taskJourney } from "./support/twelve.js";

// The last six of twelve tasks, each as a first-time user does it: from the home page, by what is visible.

async function picture(name: string, background: string) {
  const create = { width: 64, height: 48, channels: 3, background } as const;
  return { name, mimeType: "image/png", buffer: await sharp({ create }).png().toBuffer() };
}

taskJourney("7: of 3,000 rows 40 are wrong, and the others imported", async ({ stage, open }) => {
  const prefix = fresh("Row");
  const rows = Array.from(
    { length: 3_000 },
    (_, at) => `${prefix} ${at},${at % 75 === 0 ? "cheap" : at}`,
  );
  const { page } = await open({ as: await stage.person("Imports", "clerk"), at: "/" });
  await fromHome(page, "Goods");
  await page.getByRole("link", { name: "Import" }).click();
  const buffer = Buffer.from(["Name,Price", ...rows].join("\n"));
  await page
    .getByLabel(/^Choose (?:a|another) file$/)
    .setInputFiles({ name: "goods.csv", mimeType: "text/csv", buffer });
  await page.getByText(/2,960 rows can be imported\. 40 rows cannot/).waitFor();
  const problems = page.getByRole("region", { name: "Rows with problems" });
  expect(await problems.getByRole("row").count()).toBe(41);
  await page.getByRole("button", { name: "Import 2,960 rows" }).click();
  await page.getByText(/^2,960 rows imported/).waitFor({ timeout: 150_000 });
  const { meta } = await stored(stage, `/goods?q=${encodeURIComponent(prefix)}`);
  expect(meta).toMatchObject({ total: 2_960 });
});

taskJourney("8: a record gets five children and two pictures at once", async ({ stage, open }) => {
  const name = fresh("Jam");
  await make(stage, "goods", { name, price: 3 });
  const { page } = await open({ as: await stage.person("Adds", "clerk"), at: "/" });
  await fromHome(page, "Orders");
  await page.getByRole("link", { name: "New order" }).click();
  const number = fresh("Box");
  await page.getByLabel("Number").fill(number);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files: Receipts" }).click();
  await (await chooser).setFiles([await picture("a.png", "#a33"), await picture("b.png", "#3a3")]);
  const lines = page.getByRole("region", { name: "Order lines", exact: true });
  for (let at = 0; at < 5; at += 1) {
    await lines.getByRole("button", { name: "New order line", exact: true }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("combobox", { name: "Good" }).fill(name);
    await drawer.getByRole("option", { name }).first().click();
    await drawer.getByLabel("Quantity").fill(String(at + 1));
    await drawer.getByRole("button", { name: "Done" }).click();
    await drawer.waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(`${number} created`).waitFor();
  const { data } = (await stored(
    stage,
    `/orders?filter[number]=${encodeURIComponent(number)}`,
  )) as {
    data: readonly { id: string; receipts: readonly string[] }[];
  };
  expect(data[0]?.receipts).toHaveLength(2);
  const { meta } = await stored(stage, `/order-lines?filter[orderId]=${data[0]?.id}`);
  expect(meta).toMatchObject({ total: 5 });
});

taskJourney("9: two customers who are one become one", async ({ stage, open }) => {
  const [kept, twin] = [fresh("Ana Trujillo"), fresh("Ana Trujilo")];
  const first = await make(stage, "customers", { name: kept, country: "Mexico" });
  const second = await make(stage, "customers", { name: twin, country: "Mexico" });
  for (let at = 0; at < 3; at += 1) await order(stage, { customerId: second.id });
  const { page } = await open({ as: await stage.person("Merges", "clerk"), at: "/" });
  await fromHome(page, "Customers");
  await page.getByRole("link", { name: twin }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Merge…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Merge two customers" });
  await dialog.getByRole("combobox", { name: "The other customer" }).fill(kept);
  await page.getByRole("option", { name: kept }).click();
  await dialog.getByRole("radio", { name: kept, exact: true }).check();
  await dialog.getByRole("button", { name: "Merge customers" }).click();
  await page.getByRole("heading", { level: 1, name: kept }).waitFor();
  const { meta } = await stored(stage, `/orders?filter[customerId]=${first.id}`);
  expect(meta).toMatchObject({ total: 3 });
});

taskJourney("10: revenue by country by month", async ({ stage, open }) => {
  const customer = await make(stage, "customers", { name: fresh("Wolski"), country: "Germany" });
  for (const [placedAt, total] of [
    ["2021-03-02T10:00:00Z", 10],
    ["2021-03-20T10:00:00Z", 5.5],
    ["2021-04-02T10:00:00Z", 7],
  ]) {
    await order(stage, { customerId: customer.id, placedAt, total });
  }
  const { page } = await open({ as: await stage.person("Reports", "clerk"), at: "/" });
  await fromHome(page, "Orders");
  await page.getByRole("button", { name: "Totals", exact: true }).click();
  await page.getByLabel("Group by").selectOption("Customer › Country");
  await page.getByLabel("Then by").selectOption("Placed at, by month");
  await page.getByLabel("Total of each column").selectOption("Sum");
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: /Germany.*March 2021.*15\.50/ }).waitFor();
  await page.getByRole("row", { name: /Germany.*April 2021.*7\.00/ }).waitFor();
});

taskJourney("11: what happened last night is seen", async ({ stage, open }) => {
  await stage.app.db.query("delete from service.jobs");
  await stage.app.db.query(
    `insert into service.jobs
       (id, name, key, input, state, attempt, tries, due_at, scheduled_at, started_at, failed_at, error)
     values (gen_random_uuid(), 'charge', 'order 7', '{}', 'failed', 10, 10, now(), now(), now(), now(),
       'The provider answered 429')`,
  );
  await make(stage, "customers", { name: fresh("Wolski"), country: "Germany" });
  const { page } = await open({ as: await stage.person("Operates", "admin"), at: "/" });
  await page.getByRole("link", { name: "Activity", exact: true }).click();
  await page.getByText("The provider answered 429").waitFor();
  await page.getByRole("link", { name: /^New, Customers: \d/ }).waitFor();
  await page.getByText("Account created").first().waitFor();
});

taskJourney("12: what was deleted is restored", async ({ stage, open }) => {
  const good = await make(stage, "goods", { name: fresh("Stale bread"), price: 2 });
  await api(stage, "DELETE", `/goods/${good.id}`);
  const { page } = await open({ as: await stage.person("Restores", "clerk"), at: "/" });
  await fromHome(page, "Goods");
  await page.getByRole("link", { name: "Trash" }).click();
  await page.getByLabel(`Select ${good.name}`).check();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("1 of 1 good restored").waitFor();
  expect(await stored(stage, `/goods/${good.id}`)).toMatchObject({ price: 2 });
});
