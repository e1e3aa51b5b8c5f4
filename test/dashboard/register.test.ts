import { expect, onTestFinished } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";
import { openStage, password } from "./support/stage.js";
import { openVisit } from "./support/visit.js";

journey("a new user registers, and verifies the address by code", async ({ stage, open }) => {
  await stage.app.db.query("delete from service.users where email = 'janet@example.com'");
  const visit = await open({ at: "/sign-in" });
  const { page } = visit;
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  expect(await page.getByText("This cannot be empty").count()).toBe(3);
  await visit.rest();
  await page.getByLabel("Name").fill("Janet Leverling");
  await page.getByLabel("Email address").fill("janet@example.com");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await page
    .getByText(/8 characters/)
    .first()
    .waitFor();
  await page.getByLabel("Password", { exact: true }).fill(password);
  const { code } = await stage.mailAfter("janet@example.com", async () => {
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Hello, Janet Leverling" }).waitFor();
  });
  await page.goto("/verify-email");
  await page.getByLabel("Code").waitFor();
  await visit.rest();
  await page.getByLabel("Code").fill(code);
  await page.getByText("Your address is verified").waitFor();
  await page.goto("/account/profile");
  await page.getByText("verified", { exact: true }).waitFor();
});

journey(
  "if addresses must be verified, signing in requires the code or the link first",
  async () => {
    const stage = await openStage("apps/shop", {
      SHOP_VERIFIED_ONLY: "true",
      SHOP_PASSKEYS: "false",
    });
    onTestFinished(() => stage.close());
    const register = async (name: string, email: string) => {
      const visit = await openVisit(stage, { at: "/register" });
      onTestFinished(() => visit.context.close());
      const { page } = visit;
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("Email address").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      const mail = await stage.mailAfter(email, async () => {
        await page.getByRole("button", { name: "Create account" }).click();
        await page.getByText(`that were mailed to ${email}`).waitFor();
      });
      expect(await visit.context.cookies()).toEqual([]);
      return { ...mail, visit, page };
    };

    const one = await register("Vera Code", "vera@example.com");
    await one.visit.rest();
    // Whoever signs in before that is led back to the code.
    await one.page.goto("/sign-in");
    expect(await one.page.getByRole("button", { name: /passkey/ }).count()).toBe(0);
    await signIn(one.page, "vera@example.com");
    await one.page.getByLabel("Code").fill(one.code);
    await one.page.getByText("Your address is verified").waitFor();
    await one.page.getByRole("link", { name: "Continue" }).click();
    await signIn(one.page, "vera@example.com");
    await one.page.getByRole("heading", { name: "Hello, Vera Code" }).waitFor();
    // What is switched off has no page of its own.
    await one.page.goto("/account/passkeys");
    await one.page.getByText("This app does not offer passkeys").waitFor();
    const parts = one.page.getByRole("navigation", { name: "Your account" });
    await expect.poll(() => parts.getByRole("link").count()).toBe(5);
    expect(await one.page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
    await one.visit.rest();
    await one.page.keyboard.press("Control+k");
    await one.page.getByRole("combobox").fill("your account");
    await expect
      .poll(() => one.page.getByRole("option").allTextContents())
      .toEqual(
        ["Profile", "Password", "Second step", "Devices", "Service tokens"].map(
          (part) => `Your account: ${part}`,
        ),
      );
    await one.visit.close();

    const other = await register("Lena Link", "lena@example.com");
    await other.page.goto(other.link);
    await other.page.getByRole("button", { name: "Verify" }).click();
    await other.page.getByText("Your address is verified").waitFor();
    await other.page.getByRole("link", { name: "Continue" }).click();
    await signIn(other.page, "lena@example.com");
    await other.page.getByRole("heading", { name: "Hello, Lena Link" }).waitFor();
    await other.visit.close();
  },
);
