import { expect } from "vitest";
import { draftKept, field, makeProduct } from "./pages/record.js";
import { setUpAuthenticator } from "./pages/second-step.js";
import { useVirtualAuthenticator } from "./support/authenticator.js";
import { journey } from "./support/journey.js";
import { password } from "./support/stage.js";

journey(
  "two browsers sign each other out, and typed text is still there after signing in again",
  async ({ stage, open }) => {
    const person = await stage.person("Anne Dodsworth");
    const visit = await open({ as: person, at: "/account/second-step" });
    const { page } = visit;
    const other = await open({ as: person, at: "/account/devices" });
    const codes = await setUpAuthenticator(page);
    await page.goto("/account/profile");
    await page.getByLabel("Name").fill("Dodsworth, Anne");
    await other.page.getByRole("button", { name: "Sign out all others" }).click();
    await other.rest();
    await other.page
      .getByRole("alertdialog")
      .getByRole("button", { name: "Sign out all others" })
      .click();
    await other.page.getByText("All other devices are signed out").waitFor();

    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel(/^Password for/).fill(password);
    await visit.rest();
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.getByRole("button", { name: "Use a backup code" }).click();
    await dialog.getByLabel("Backup code").fill(codes[1] ?? "");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Saved").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Dodsworth, Anne");

    // The other way round.
    await page.getByRole("link", { name: "Devices" }).click();
    await page.getByRole("button", { name: "Sign out all others" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: "Sign out all others" })
      .click();
    await page.getByText("All other devices are signed out").waitFor();
    await other.page.reload();
    await other.page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
    expect(await other.context.cookies()).toEqual([]);
  },
);

journey(
  "another person who signs in over the page sees none of the typed text",
  async ({ stage, open }) => {
    const other = await stage.person("Nora Next", "editor");
    const person = await stage.person("Fred First", "editor");
    const { page, context } = await open({ as: other, at: "/account/passkeys" });
    await useVirtualAuthenticator(page);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("Passkey added").waitFor();

    await context.clearCookies();
    const cookie = { name: "service_token", value: await stage.cookieOf(person), url: stage.url };
    await context.addCookies([{ ...cookie, httpOnly: true, sameSite: "Lax" }]);
    const product = await makeProduct(stage);
    await page.goto(`/data/products/${product.id}`);
    await field(page, "Name").fill("Fred's secret jam");
    await draftKept(page);
    await stage.app.db.query("delete from service.sessions where user_id = $1", [person.id]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Hello, Nora Next" }).waitFor();
    await page.goto(`/data/products/${product.id}`);
    expect(await field(page, "Name").inputValue()).toBe(product.name);
    expect(await page.getByText("You left unsaved changes here").count()).toBe(0);
    // They wait for the one who typed them.
    await context.clearCookies();
    await context.addCookies([
      { ...cookie, value: await stage.cookieOf(person), httpOnly: true, sameSite: "Lax" },
    ]);
    await page.goto(`/data/products/${product.id}`);
    await page.getByText("You left unsaved changes here").waitFor();
  },
);

journey(
  "on a phone the sign-in over a page has its buttons in one row",
  async ({ stage, open }) => {
    const person = await stage.person("Sits Narrow", "editor");
    const { page } = await open({
      as: person,
      at: "/account/profile",
      viewport: { width: 360, height: 800 },
    });
    await page.getByLabel("Name").fill("Sits Narrowly");
    await stage.app.db.query("delete from service.sessions where user_id = $1", [person.id]);
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    const top = async (name: string) =>
      (await dialog.getByRole("button", { name, exact: true }).boundingBox())?.y;
    await dialog.getByRole("button", { name: "Use a passkey" }).waitFor();
    expect(await top("Sign in")).toBe(await top("Use a passkey"));
  },
);
