import type { Page } from "playwright-core";
import { expect } from "vitest";
import { field, makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

/** An open account: beside the list, or over it where both have no room. */
function account(page: Page, name: string) {
  return page.getByRole("complementary", { name }).or(page.getByRole("dialog", { name }));
}

/** The window in which an operator sees as the account that is open beside the list. */
async function seeAs(page: Page, name: string, reason: string): Promise<Page> {
  const drawer = account(page, name);
  await drawer.getByRole("button", { name: "View as…" }).click();
  await drawer.getByLabel("Reason").fill(reason);
  const opened = page.waitForEvent("popup");
  await drawer.getByRole("button", { name: "View as", exact: true }).click();
  return opened;
}

journey(
  "an operator sees what an account sees, in another window, and changes nothing there",
  async ({ stage, open }) => {
    const person = await stage.person("Petra Buyer", "editor");
    const product = await makeProduct(stage);
    const boss = await stage.person("Boss", "admin");
    const visit = await open({ as: boss, at: `/accounts/${person.id}` });
    const { page } = visit;
    await account(page, person.name).getByRole("button", { name: "View as…" }).click();
    await visit.rest();
    await page.getByRole("button", { name: "Cancel" }).click();
    const view = await seeAs(page, person.name, "Ticket 4711");
    await view.getByRole("heading", { name: "Hello, Petra Buyer" }).waitFor();
    const banner = view.getByRole("region", { name: "You are viewing another account" });
    await banner.getByText("You see what Petra Buyer sees.").waitFor();
    await banner.getByText("30 min left").waitFor();
    await page.getByText("A window shows what Petra Buyer sees").waitFor();
    await page.getByText("Viewed by an operator by boss").waitFor();
    // Nothing that only the operator may see, and no way out of the account.
    expect(await view.getByRole("link", { name: "Accounts" }).count()).toBe(0);
    await view.getByRole("button", { name: /^Your account: Petra Buyer/ }).click();
    await view.getByRole("menuitem", { name: "Recent messages…" }).waitFor();
    expect(await view.getByRole("menuitem", { name: "Sign out" }).count()).toBe(0);
    await view.keyboard.press("Escape");

    await view.goto(`/data/products/${product.id}`);
    await field(view, "Name").fill("Another name");
    await view.getByRole("button", { name: "Save", exact: true }).click();
    await view.getByText("You are viewing another account, and may only read").first().waitFor();
    await view.reload();
    await banner.waitFor();
    // The operator's own window is as it was.
    await page.reload();
    await page.getByRole("button", { name: /^Your account: Boss/ }).waitFor();
    expect(
      await page.getByRole("region", { name: "You are viewing another account" }).count(),
    ).toBe(0);
    const closed = view.waitForEvent("close");
    await banner.getByRole("button", { name: "End" }).click();
    await closed;
  },
);

journey(
  "a view ends with the operator's role, and its page shows that",
  async ({ stage, open }) => {
    const person = await stage.person("Paula Buyer");
    const boss = await stage.person("Former Boss", "admin");
    const { page } = await open({ as: boss, at: `/accounts/${person.id}` });
    const view = await seeAs(page, person.name, "Ticket 4712");
    await view.getByRole("heading", { name: "Hello, Paula Buyer" }).waitFor();
    await stage.app.db.query("update service.users set role = null where id = $1", [boss.id]);
    await view.reload();
    await view.getByRole("heading", { name: "The view has ended" }).waitFor();
    const closed = view.waitForEvent("close");
    await view.getByRole("button", { name: "Close the window" }).click();
    await closed;
  },
);

journey("a blocked window is opened by a further click", async ({ stage, open }) => {
  const person = await stage.person("Pia Buyer");
  const boss = await stage.person("Boss", "admin");
  const visit = await open({ as: boss, at: `/accounts/${person.id}` });
  const { page } = visit;
  await page.evaluate("globalThis.opens = window.open; window.open = () => null");
  const drawer = account(page, person.name);
  await drawer.getByRole("button", { name: "View as…" }).click();
  await drawer.getByLabel("Reason").fill("Ticket 4713");
  await drawer.getByRole("button", { name: "View as", exact: true }).click();
  await drawer.getByText("Your browser did not open the window.").waitFor();
  await visit.rest();
  await page.evaluate("window.open = globalThis.opens");
  const opened = page.waitForEvent("popup");
  await drawer.getByRole("button", { name: "Open the window" }).click();
  const view = await opened;
  await view.getByRole("heading", { name: "Hello, Pia Buyer" }).waitFor();
});

journey(
  "the account sees the operator among its devices, and ends the view",
  async ({ stage, open }) => {
    const person = await stage.person("Pola Buyer");
    const boss = await stage.person("Boss", "admin");
    const { page } = await open({ as: boss, at: `/accounts/${person.id}` });
    const view = await seeAs(page, person.name, "Ticket 4714");
    await view.getByRole("heading", { name: "Hello, Pola Buyer" }).waitFor();
    const own = await open({ as: person, at: "/account/devices" });
    await own.page.getByText("Views the app as you, read-only").waitFor();
    await own.rest();
    await own.page.getByRole("button", { name: "Sign out Boss, operator" }).click();
    await own.page.getByText("Boss, operator is signed out").waitFor();
    await view.reload();
    await view.getByRole("heading", { name: "The view has ended" }).waitFor();
  },
);

journey("an account page of another person cannot be seen", async ({ stage, open }) => {
  const person = await stage.person("Polly Buyer");
  const boss = await stage.person("Boss", "admin");
  const { page } = await open({ as: boss, at: `/accounts/${person.id}` });
  const view = await seeAs(page, person.name, "Ticket 4715");
  await view.getByRole("heading", { name: "Hello, Polly Buyer" }).waitFor();
  await view.goto("/account/devices");
  await view.getByRole("heading", { level: 1 }).waitFor();
  expect(await view.getByText("Where you are signed in.").count()).toBe(0);
});
