import type { Page } from "playwright-core";
import { expect } from "vitest";
import { isLong } from "../support/searches.js";
import { journey } from "./support/journey.js";
import { password } from "./support/stage.js";

/** Presses a button, and waits until the field of that label has the focus and says why. */
async function refused(page: Page, button: string, label: string, why: string | RegExp) {
  await page.getByRole("button", { name: button, exact: true }).click();
  const field = page.getByLabel(label, { exact: true }).and(page.locator(":focus"));
  await field.waitFor();
  await expect
    .poll(() => page.evaluate<string>(described))
    .toMatch(why instanceof RegExp ? why : new RegExp(why));
}

/** What a screen reader says after the name of the field that has the focus. */
const described = `(document.activeElement.getAttribute("aria-describedby") ?? "").split(" ")
  .map((id) => document.getElementById(id)?.textContent ?? "").join(" ")`;

const empty = "This cannot be empty";

journey("signed out, the refused field gets the focus", async ({ stage, open }) => {
  const { email } = await stage.person("Tara Taken");
  const { page } = await open({ at: "/register" });
  await refused(page, "Create account", "Name", empty);
  await page.getByLabel("Name").fill("Tara");
  await page.getByLabel("Password", { exact: true }).fill(password);
  // Said by the page, and not by the browser in words of its own.
  await page.getByLabel("Email address").fill("no address");
  await refused(page, "Create account", "Email address", /email/i);
  await page.getByLabel("Email address").fill(email);
  await refused(page, "Create account", "Email address", "already has an account");
  await page.getByLabel("Email address").fill("tara.new@example.com");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await refused(page, "Create account", "Password", /8 characters/);

  await page.goto("/sign-in");
  await refused(page, "Sign in", "Email address", empty);
  await refused(page, "Email me a six-digit code", "Email address", "Enter your email address");
  await page.getByLabel("Email address").fill(email);
  await refused(page, "Sign in", "Password", empty);
  expect(await page.getByText("Enter your email address").count()).toBe(0);
  await page.getByRole("button", { name: "Email me a six-digit code" }).click();
  // The form of before has a button of that name, too.
  await page.getByLabel("Code", { exact: true }).waitFor();
  await refused(page, "Sign in", "Code", empty);
  await page.goto("/forgot-password");
  await page.getByLabel("Email address").fill("");
  await refused(page, "Email me a link", "Email address", empty);
  await page.goto("/reset-password?token=abc");
  await refused(page, "Set password", "New password", empty);
});

journey("an error disappears when its field changes; the others stay", async ({ stage, open }) => {
  const as = await stage.person("Rita Reconsiders");
  const { page } = await open({ at: "/register" });
  const invalid = () =>
    page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('[aria-invalid="true"]')].map(({ name }) => name)`,
    );
  await refused(page, "Create account", "Name", empty);
  expect(await invalid()).toEqual(["name", "email", "password"]);
  await page.getByLabel("Email address").pressSequentially("r");
  expect(await invalid()).toEqual(["name", "password"]);
  // The same again is said again.
  await page.getByLabel("Email address").fill("");
  await refused(page, "Create account", "Name", empty);
  expect(await invalid()).toEqual(["name", "email", "password"]);

  const own = await open({ as, at: "/account/password" });
  await own.page.getByLabel("Current password").fill("not it");
  await own.page.getByLabel("New password").fill("another battery staple");
  await refused(own.page, "Change password", "Current password", "wrong");
  await own.page.getByLabel("New password").fill("yet another battery staple");
  await own.page.getByText("This password is wrong").waitFor();
  await own.page.getByLabel("Current password").pressSequentially("s");
  await own.page.getByText("This password is wrong").waitFor({ state: "detached" });
  await refused(own.page, "Change password", "Current password", "wrong");

  const { page: mailed } = await open({ at: "/sign-in" });
  await mailed.getByLabel("Email address").fill(as.email);
  await mailed.getByRole("button", { name: "Email me a six-digit code" }).click();
  const code = mailed.getByLabel("Code");
  for (const wrong of ["000000", "000001"]) {
    // It is sent with the sixth digit, and the answer to that is no earlier one.
    await code.pressSequentially(wrong);
    await expect.poll(() => code.getAttribute("aria-invalid")).toBe("true");
    await code.press("7");
    await expect.poll(() => code.getAttribute("aria-invalid")).not.toBe("true");
    await code.fill("");
  }
});

journey.runIf(isLong)(
  "on the account's own pages, the refused field gets the focus",
  async ({ stage, open }) => {
    const as = await stage.person("Paula Particular", "admin");
    const { page } = await open({ as, at: "/account/profile" });
    await page.getByLabel("Name").fill(" ");
    await refused(page, "Save", "Name", empty);

    await page.getByRole("link", { name: "Password" }).click();
    await refused(page, "Change password", "Current password", empty);
    await page.getByLabel("New password").fill(`${password}, and more`);
    await page.getByLabel("Current password").fill("not it");
    await refused(page, "Change password", "Current password", "wrong");
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill("short");
    await refused(page, "Change password", "New password", /8 characters/);

    await page.getByRole("link", { name: "Second step" }).click();
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    await refused(page, "Continue", "Your password", empty);
    await page.getByLabel("Your password").fill("not it");
    await refused(page, "Continue", "Your password", "wrong");
    await page.getByLabel("Your password").fill(password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Code from the app").waitFor();
    await refused(page, "Turn on", "Code from the app", empty);
    await page.getByLabel("Code from the app").fill("000000");
    await expect.poll(() => page.evaluate<string>(described)).toMatch("wrong");
    // The next digit takes the place of the wrong ones.
    await page.keyboard.press("7");
    expect(await page.getByLabel("Code from the app").inputValue()).toBe("7");

    await page.goto("/accounts");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Name").fill("Paula's twin");
    await refused(page, "Send invitation", "Email address", empty);
    await page.getByLabel("Email address").fill(as.email);
    await refused(page, "Send invitation", "Email address", "already has an account");
  },
);
