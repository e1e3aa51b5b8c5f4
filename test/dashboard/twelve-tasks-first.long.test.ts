import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { as as actingAs, fromHome, order, stored, taskJourney } from "./support/twelve.js";

// The first six of twelve tasks, each as a first-time user does it: from the home page, by what is visible.

taskJourney("1: an order is found by a part of its customer's name", async ({ stage, open }) => {
  const name = fresh("Alfreds Futterkiste");
  const customer = await make(stage, "customers", { name, country: "Germany" });
  const { number } = await order(stage, { customerId: customer.id });
  const { page } = await open({ as: await stage.person("Finds", "clerk"), at: "/" });
  await fromHome(page, "Orders");
  await page.getByRole("searchbox", { name: /^Search/ }).fill(name.slice(3));
  await page.getByRole("button", { name: "Search customers by name instead" }).click();
  await page.getByRole("link", { name: String(number), exact: true }).click();
  await page.getByRole("heading", { level: 1, name: String(number) }).waitFor();
});

taskJourney("2: fifteen prices are corrected", async ({ stage, open }) => {
  const prefix = fresh("Tea");
  for (let at = 0; at < 15; at += 1) {
    await make(stage, "goods", { name: `${prefix} ${String(at).padStart(2, "0")}`, price: 1 });
  }
  const { page } = await open({ as: await stage.person("Corrects", "clerk"), at: "/" });
  await fromHome(page, "Goods");
  await page.getByRole("searchbox", { name: /^Search/ }).fill(prefix);
  await page.getByText("1–15 of 15").waitFor();
  // A column of a spreadsheet, whose rows are in the order of the list: the newest first.
  await page.locator('td[data-field="price"]').first().focus();
  const column = Array.from({ length: 15 }, (_, at) => 16 - at).join("\n");
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(column)});
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  })()`);
  await page.getByRole("button", { name: "Change 15 values" }).click();
  await page.getByText("15 of 15 goods changed").waitFor();
  const prices = async () => {
    const { data } = (await stored(stage, `/goods?q=${encodeURIComponent(prefix)}&sort=name`)) as {
      data: readonly { price: number }[];
    };
    return data.map(({ price }) => price);
  };
  await expect.poll(prices).toEqual(Array.from({ length: 15 }, (_, at) => at + 2));
});

taskJourney("3: who changed a price is seen, and it is put back", async ({ stage, open }) => {
  const good = await make(stage, "goods", { name: fresh("Chai"), price: 4.5 });
  const other = await actingAs(stage, await stage.person("Nancy Davolio", "clerk"));
  await api(other, "PATCH", `/goods/${good.id}`, { price: 45 });
  const { page } = await open({ as: await stage.person("Wonders", "clerk"), at: "/" });
  await fromHome(page, "Goods");
  await page.getByRole("link", { name: String(good.name) }).click();
  await page.getByRole("link", { name: "History" }).click();
  await page.getByRole("heading", { name: "Changed by Nancy Davolio" }).waitFor();
  await page.getByRole("button", { name: "Put back: Price" }).click();
  await page.getByText("Price has its earlier value again").waitFor();
  expect(await stored(stage, `/goods/${good.id}`)).toMatchObject({ price: 4.5 });
});

taskJourney("4: a colleague gets a filtered view", async ({ stage, open }) => {
  const name = fresh("Norwegians");
  const customer = await make(stage, "customers", { name: fresh("Santé"), country: "Norway" });
  const { page } = await open({ as: await stage.person("Shares", "clerk"), at: "/" });
  await fromHome(page, "Customers");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Field").selectOption("Country");
  await page.getByLabel("Value").selectOption("Norway");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name of the view").fill(name);
  await page.getByRole("switch", { name: /^For all users/ }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: new RegExp(name) }).waitFor();
  const colleague = await open({ as: await stage.person("Receives", "clerk"), at: "/" });
  await fromHome(colleague.page, "Customers");
  await colleague.page.getByRole("link", { name: new RegExp(name) }).click();
  await colleague.page.getByRole("link", { name: String(customer.name) }).waitFor();
  await colleague.page.getByText("Country is Norway").first().waitFor();
});

taskJourney("5: why a webhook fails is seen, and it is sent again", async ({ stage, open }) => {
  await stage.app.db.query("truncate service.webhooks, service.webhook_deliveries");
  const { body } = await api(stage, "POST", "/_service/webhooks", {
    url: "http://127.0.0.1:9/hook",
    events: ["goods.created"],
  });
  const { id } = body as { readonly id: string };
  await stage.app.db.query(
    `insert into service.webhook_deliveries
       (id, webhook_id, type, record_id, body, state, attempts, status, error, next_at)
     values (gen_random_uuid(), $1, 'goods.created', gen_random_uuid(), '{"data":{}}', 'failed', 8, 503,
       'The receiver answered 503 Service Unavailable', null)`,
    [id],
  );
  const { page } = await open({ as: await stage.person("Operates", "admin"), at: "/" });
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: /hook$/ }).click();
  await page.getByText("responded 503").filter({ visible: true }).waitFor();
  await page.getByRole("button", { name: "goods.created" }).click();
  await page.getByText("The receiver answered 503 Service Unavailable").first().waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("It will be sent again").waitFor();
});

taskJourney("6: a leaver's records go to another account", async ({ stage, open }) => {
  const leaver = await stage.person("Lea Leaver", "clerk");
  const heir = await stage.person("Hal Heir", "clerk");
  for (let at = 0; at < 3; at += 1) await order(stage, { handledById: leaver.id });
  const { page } = await open({ as: await stage.person("Operates", "admin"), at: "/" });
  await page.getByRole("link", { name: "Accounts" }).click();
  await page.getByLabel("Search accounts").fill(leaver.email);
  await page.getByRole("link", { name: leaver.name }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("combobox", { name: "Hand over to" }).fill(heir.email);
  await page.getByRole("option", { name: heir.name }).click();
  await page.getByRole("button", { name: "Hand over 3" }).click();
  await page.getByText("3 of 3").first().waitFor();
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByText("Lea Leaver is deleted").waitFor();
  const { meta } = await stored(stage, `/orders?filter[handledById]=${heir.id}`);
  expect(meta).toMatchObject({ total: 3 });
});
