import { expect } from "vitest";
import { journey } from "./support/journey.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

journey(
  "a service token is created and shown once, works, and is revoked by its owner",
  async ({ stage, open }) => {
    const person = await stage.person("Programs", "admin");
    const visit = await open({ as: person, at: "/account/profile" });
    const { page } = visit;
    await page.getByRole("link", { name: "Service tokens" }).first().press("Enter");
    await page.getByText("You have no tokens yet.").waitFor();
    await page.getByRole("button", { name: "New token…" }).press("Enter");
    await page.getByLabel("Name", { exact: true }).waitFor();
    await page.keyboard.type("Nightly report");
    await visit.rest();
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "Copy the token now" });
    const token = await shown.getByLabel("Token", { exact: true }).inputValue();
    await visit.rest();
    const asked = () =>
      fetch(`${stage.app.url}/api/auth/me`, {
        headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      });
    expect((await asked()).status).toBe(200);
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByText("Nightly report", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("Nightly report", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole("button", { name: "Revoke Nightly report" }).click();
    const question = page.getByRole("alertdialog", { name: "Revoke Nightly report?" });
    await question.getByRole("button", { name: "Revoke Nightly report" }).click();
    await page.getByText("You have no tokens yet.").waitFor();
    expect((await asked()).status).toBe(401);
  },
);

journey(
  "operators see all accounts' tokens and revoke them, on a phone too",
  async ({ stage, open }) => {
    const owner = await stage.person("Token Owner", "editor");
    const cookie = await stage.cookieOf(owner);
    const made = await fetch(`${stage.app.url}/api/auth/service-tokens`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${cookie}`,
        accept: "application/json",
        "content-type": "application/json",
      },
      body: JSON.stringify({ name: `Till ${owner.id}`, days: null }),
    });
    expect(made.status).toBe(201);
    const as = await stage.person("Operates", "admin");
    const visit = await open({ ...phone, as, at: "/accounts/tokens" });
    const { page } = visit;
    await page.getByRole("link", { name: owner.email }).waitFor();
    await visit.rest();
    await page.getByRole("button", { name: `Revoke Till ${owner.id}` }).tap();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: `Revoke Till ${owner.id}` })
      .tap();
    await page.getByText(`Till ${owner.id} is revoked`).waitFor();
  },
);

journey("operators see what a role may do", async ({ stage, open }) => {
  const visit = await open({
    as: await stage.person("Reviews Rights", "admin"),
    at: "/accounts/rights",
  });
  const { page } = visit;
  const rights = async (resource: string) =>
    page
      .getByRole("row", { name: new RegExp(`^${resource} `) })
      .getByRole("cell")
      .allInnerTexts();
  await page.getByLabel("Role").selectOption("editor");
  expect((await rights("Coupons")).slice(0, 6).map((text) => text.trim())).toEqual([
    "yes",
    "yes",
    "yes",
    "–\nno",
    "–\nno",
    "–\nno",
  ]);
  await page.getByLabel("Role").selectOption("no role");
  expect((await rights("Orders"))[1]?.trim()).toBe("yes");
  expect((await rights("Products"))[3]?.trim()).toBe("–\nno");
  await visit.rest();
  await page.reload();
  expect(await page.getByLabel("Role").inputValue()).toBe("");
});
