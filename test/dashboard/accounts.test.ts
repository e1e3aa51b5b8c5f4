import type { Page } from "playwright-core";
import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { setUpAuthenticator } from "./pages/second-step.js";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

/** An open account: beside the list, or over it where both have no room. */
function account(page: Page, name: string) {
  return page.getByRole("complementary", { name }).or(page.getByRole("dialog", { name }));
}

journey("an operator invites, changes, disables and deletes accounts", async ({ stage, open }) => {
  const boss = await stage.person("Boss", "admin");
  const invited = `hathaway.${boss.email}`;
  const visit = await open({ as: boss, at: "/accounts" });
  const { page } = visit;
  await page.getByRole("link", { name: "Boss" }).first().waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("Name").fill("Anne Hathaway");
  await page.getByLabel("Email address").fill(invited);
  await visit.rest();
  const { link } = await stage.mailAfter(invited, () =>
    page.getByRole("button", { name: "Send invitation" }).click(),
  );
  expect(link).toContain("/reset-password");
  await page.getByLabel("Search accounts").fill(invited);
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.getByRole("link", { name: "Anne Hathaway" }).click();
  const drawer = account(page, "Anne Hathaway");
  const role = drawer.getByLabel(/^Role/);
  await role.selectOption("New role …");
  await drawer.getByLabel("Name of the new role").fill("editr");
  await drawer.getByText("No rule names this role").waitFor();
  await role.selectOption("editor");
  expect(await drawer.getByText("No rule names this role").count()).toBe(0);
  await visit.rest();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Anne Hathaway saved").waitFor();
  await page.getByRole("button", { name: "Disable…" }).click();
  await page.getByRole("button", { name: "Disable account" }).click();
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByText("Anne Hathaway is enabled").waitFor();
  await page.getByRole("button", { name: "Disable…" }).click();
  await page.getByRole("button", { name: "Disable account" }).click();
  await page.getByRole("button", { name: "Enable" }).waitFor();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByText("Anne Hathaway is deleted").waitFor();
  await page.getByText("No account matches").waitFor();
  await page.getByRole("link", { name: "Events" }).click();
  const first = page.getByRole("row").nth(1);
  await expect
    .poll(() => first.textContent())
    .toMatch(/^Account deleteda deleted account by boss\./);
});

journey(
  "an account is deleted only once what belongs to it is handed over",
  async ({ stage, open }) => {
    const boss = await stage.person("Boss", "admin");
    const leaver = await stage.person("Lea Leaver", "editor");
    const heir = await stage.person("Hal Heir", "editor");
    const customer = await make(stage, "customers", {
      name: fresh("Cus"),
      email: `${fresh("cus").replaceAll(" ", ".")}@example.com`,
    });
    const start = Math.floor(Math.random() * 1_000_000_000);
    const orders = Array.from({ length: 130 }, (_, at) => ({
      create: "orders",
      values: {
        number: start + at,
        customerId: customer.id,
        placedAt: "2026-11-01T10:00:00Z",
        handledById: leaver.id,
      },
    }));
    for (const operations of [orders.slice(0, 100), orders.slice(100)]) {
      const made = await api(stage, "POST", "/_service/batch", { atomic: true, operations });
      expect(made.status).toBe(200);
    }
    const visit = await open({ as: boss, at: `/accounts/${leaver.id}` });
    const { page } = visit;
    const drawer = account(page, leaver.name);
    await drawer.getByRole("button", { name: "Delete…" }).click();
    await drawer.getByText("Orders: 130 lose their link to it").waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Delete Lea Leaver?");
    await visit.rest();
    await page.keyboard.press("Escape");
    await drawer.getByRole("button", { name: "Delete…" }).click();
    const list = drawer.getByRole("link", { name: "Show them: Orders" });
    expect(await list.getAttribute("href")).toBe(`/data/orders?filter[handledById]=${leaver.id}`);
    const remove = drawer.getByRole("button", { name: "Delete account" });
    expect(await remove.getAttribute("aria-disabled")).toBe("true");
    await drawer.getByRole("combobox", { name: "Hand over to" }).fill(heir.email);
    await page.getByRole("option", { name: heir.name }).click();
    await drawer.getByRole("button", { name: "Hand over 130" }).click();
    await drawer.getByText("130 of 130").first().waitFor();
    await visit.rest();
    await remove.click();
    await page.getByText("Lea Leaver is deleted").waitFor();
    const { body } = await api(stage, "GET", `/orders?filter[handledById]=${heir.id}`);
    expect(body).toMatchObject({ meta: { total: 130 } });
  },
);

journey(
  "the list stays usable beside an open account, and the address keeps the query",
  async ({ stage, open, notByTouch }) => {
    notByTouch("on a phone an open account covers the list");
    const boss = await stage.person("Boss", "admin");
    const one = await stage.person("Quentin Aardvark", "curator");
    const other = await stage.person("Quentin Badger", "curator");
    await stage.person("Quentin Cat");
    const visit = await open({ as: boss, at: "/accounts" });
    const { page } = visit;
    const drawer = (name: string) => page.getByRole("complementary", { name });
    await page.getByLabel("Search accounts").fill("quentin");
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    await page.getByLabel("Role", { exact: true }).selectOption({ label: "Role: curator" });
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    await page.getByRole("link", { name: one.name }).click();
    await drawer(one.name).getByText(one.email).waitFor();
    await visit.rest();
    // Another row, by the keyboard, while the first one is open.
    await page.getByRole("link", { name: other.name }).focus();
    await page.keyboard.press("Enter");
    await drawer(other.name).getByText(other.email).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname).toBe(`/accounts/${other.id}`);
    expect(new URLSearchParams(search).toString()).toBe(
      new URLSearchParams({ q: "quentin", "filter[role]": "curator" }).toString(),
    );
    await page.reload();
    await drawer(other.name).getByText(other.email).waitFor();
    expect(await page.getByLabel("Search accounts").inputValue()).toBe("quentin");
    expect(await page.getByRole("row").count()).toBe(3);
    await page.goBack();
    await drawer(one.name).getByText(one.email).waitFor();
    await page.keyboard.press("Escape");
    await drawer(one.name).waitFor({ state: "detached" });
    await page.getByLabel("State").selectOption({ label: "State: disabled" });
    await page.getByText("No account matches").waitFor();
    expect(await page.getByText("of 0").count()).toBe(0);
    await visit.rest();
    await page.getByRole("button", { name: "Show all accounts" }).click();
    await page.getByRole("link", { name: "Boss" }).first().waitFor();
  },
);

journey(
  "an operator disables a lost second step, signs an account out everywhere, and mails a reset",
  async ({ stage, open }) => {
    const person = await stage.person("Otto Forgetful");
    const theirs = await open({ as: person, at: "/account/second-step" });
    await setUpAuthenticator(theirs.page);
    const boss = await stage.person("Boss", "admin");
    const visit = await open({ as: boss, at: `/accounts/${person.id}` });
    const drawer = account(visit.page, person.name);
    await drawer.getByRole("button", { name: "Turn off the second step…" }).click();
    await visit.rest();
    await drawer.getByRole("button", { name: "Turn off second step" }).click();
    await visit.page.getByText("The second step of Otto Forgetful is off").waitFor();
    await drawer.getByText("Second step turned off by").waitFor();
    await drawer.getByRole("button", { name: "Sign out everywhere" }).click();
    await visit.page.getByText("Otto Forgetful is signed out everywhere").waitFor();
    const { link } = await stage.mailAfter(person.email, () =>
      drawer.getByRole("button", { name: "Send a password reset" }).click(),
    );
    expect(link).toContain("/reset-password?token=");
    await theirs.page.reload();
    await signIn(theirs.page, person.email);
    await theirs.page.getByRole("button", { name: "Set up an authenticator app" }).waitFor();
  },
);

journey("an operator changes an address, whose owner stays signed in", async ({ stage, open }) => {
  const person = await stage.person("Ada Moving");
  const other = await stage.person("Ada Taken");
  const theirs = await open({ as: person, at: "/account/profile" });
  const boss = await stage.person("Boss", "admin");
  const visit = await open({ as: boss, at: `/accounts/${person.id}` });
  const drawer = account(visit.page, person.name);
  const to = `new.${person.email}`;
  await drawer.getByLabel("Email address").fill(other.email);
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByText("This address already has an account").waitFor();
  await visit.rest();
  await drawer.getByLabel("Email address").fill(to);
  const { code } = await stage.mailAfter(to, () =>
    drawer.getByRole("button", { name: "Save" }).click(),
  );
  expect(code).toMatch(/^\d{6}$/);
  await drawer.getByText("address not verified").waitFor();
  await drawer.getByText("Address changed by").waitFor();
  await visit.page.goto(`/accounts/${boss.id}`);
  await account(visit.page, boss.name).getByLabel("Name").waitFor();
  expect(await account(visit.page, boss.name).getByLabel("Email address").count()).toBe(0);
  await theirs.page.reload();
  await theirs.page.getByRole("main").getByText(to).waitFor();
});

journey("callers who are not operators find no such page", async ({ stage, open }) => {
  const { page } = await open({ as: await stage.person("Member"), at: "/accounts" });
  await page.getByText("Your role may not manage accounts").waitFor();
  expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Accounts" }).count()).toBe(0);
});
