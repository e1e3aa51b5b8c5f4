import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";
import { fromHome, order, stored, taskJourney } from "./support/twelve.js";

taskJourney(
  "a record's page merges it with another, whose links and missing values it gets",
  async ({ stage, open }) => {
    const [name, twin] = [fresh("Ana Trujillo"), fresh("Ana Trujilo")];
    const kept = await make(stage, "customers", { name, country: "Mexico" });
    const email = "ana@example.com";
    const other = await make(stage, "customers", { name: twin, country: "Norway", email });
    for (let at = 0; at < 3; at += 1) await order(stage, { customerId: other.id });
    const { page } = await open({ as: await stage.person("Merges", "clerk") });
    await page.goto(`/data/customers/${kept.id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Merge…" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Merge two customers" });
    await dialog.getByRole("combobox", { name: "The other customer" }).fill(twin);
    await page.getByRole("option", { name: twin }).click();
    await dialog.getByText("Orders: 3 move to the record that is kept").waitFor();
    const chosen = (label: string) => dialog.getByRole("radio", { name: label });
    expect(await chosen(`Country: ${name}`).isChecked()).toBe(true);
    // The one that stays has no address.
    expect(await chosen(`Email: ${twin}`).isChecked()).toBe(true);
    await chosen(`Country: ${twin}`).check();
    await dialog.getByRole("button", { name: "Merge customers" }).click();
    await page.getByText(`${twin} merged into ${name}`).waitFor();
    await page.getByRole("link", { name: "Orders 3" }).waitFor();
    await expect.poll(() => page.getByRole("main").getByLabel("Email").inputValue()).toBe(email);
    expect(await stored(stage, `/customers/${kept.id}`)).toMatchObject({
      ...{ name, email, country: "Norway" },
    });
    expect((await api(stage, "GET", `/customers/${other.id}`)).status).toBe(404);
  },
);

taskJourney(
  "two selected rows are merged, and the other one can stay and take a unique value",
  async ({ stage, open }) => {
    const prefix = fresh("Chai");
    const [first, second] = [`${prefix} A`, `${prefix} B`];
    const one = await make(stage, "goods", { name: first, price: 4 });
    const two = await make(stage, "goods", { name: second, price: 5 });
    const { id: orderId } = await order(stage, {});
    await make(stage, "order-lines", { orderId, goodId: one.id });
    const { page } = await open({ as: await stage.person("Merges", "clerk"), at: "/" });
    await fromHome(page, "Goods");
    await page.getByRole("searchbox", { name: /^Search/ }).fill(prefix);
    await page.getByText("1–2 of 2").waitFor();
    await page.getByLabel(`Select ${first}`).check();
    await page.getByLabel(`Select ${second}`).check();
    await page.getByRole("button", { name: "Merge…" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Merge two goods" });
    await dialog.getByRole("radio", { name: second, exact: true }).check();
    await dialog.getByRole("radio", { name: `Name: ${first}` }).check();
    await dialog.getByText("Order lines: 1 moves to the record that is kept").waitFor();
    await dialog.getByText(`${first} is moved to the trash afterwards.`).waitFor();
    await dialog.getByRole("button", { name: "Merge goods" }).click();
    await page.getByText(`${first} merged into ${second}`).waitFor();
    await page.getByText("1–1 of 1").waitFor();
    expect(await stored(stage, `/goods/${two.id}`)).toMatchObject({ name: first, price: 5 });
    const { meta } = await stored(stage, `/order-lines?filter[goodId]=${two.id}`);
    expect(meta).toMatchObject({ total: 1 });
  },
);

const treeJourney = journeyOn(() =>
  sharedStage("merging-tree", () =>
    openWrittenStage({
      descriptors: new Map([
        [
          "places.yaml",
          `label: Places
singular: Place
title: name
access: { read: signed-in, write: [admin, clerk] }
fields:
  name: { type: string, required: true }
  note: { type: string }
  parentId: { type: belongsTo, resource: places, onDelete: refuse, inverse: children }
  nearIds: { type: links, resource: places, label: Near }
`,
        ],
      ]),
      settings:
        "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n",
    }),
  ),
);

treeJourney(
  "a record that itself links to the other one is kept, without these links",
  async ({ stage, open }) => {
    const [name, twin] = [fresh("Oslo"), fresh("Oslo City")];
    const far = await make(stage, "places", { name: fresh("Bergen") });
    const other = await make(stage, "places", { name: twin, note: "Capital" });
    const own = { parentId: other.id, nearIds: [other.id, far.id] };
    const kept = await make(stage, "places", { name, ...own });
    const child = await make(stage, "places", { name: fresh("Harbour"), parentId: other.id });
    const { page } = await open({ as: await stage.person("Merges", "clerk") });
    await page.goto(`/data/places/${kept.id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Merge…" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Merge two places" });
    await dialog.getByRole("combobox", { name: "The other place" }).fill(twin);
    await page.getByRole("option", { name: twin }).click();
    await dialog.getByText("Places: 1 moves to the record that is kept").waitFor();
    expect(await dialog.getByRole("radio", { name: `Note: ${twin}` }).isChecked()).toBe(true);
    await dialog.getByRole("button", { name: "Merge places" }).click();
    await page.getByText(`${twin} merged into ${name}`).waitFor();
    expect((await api(stage, "GET", `/places/${kept.id}`)).body).toMatchObject({
      ...{ name, note: "Capital", parentId: null, nearIds: [far.id] },
    });
    const moved = (await api(stage, "GET", `/places/${child.id}`)).body;
    expect(moved).toMatchObject({ parentId: kept.id });
    expect((await api(stage, "GET", `/places/${other.id}`)).status).toBe(404);
  },
);
