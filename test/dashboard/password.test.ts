import { expect } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey(
  "a password signs in, and the token is never where a script could read it",
  async ({ stage, open }) => {
    const { email } = await stage.person("Laura Callahan");
    const { page, context, rest } = await open();
    await page.goto("/account/devices");
    await signIn(page, email, "not the password");
    await page.getByRole("alert").getByText("is wrong").waitFor();
    await rest();
    await signIn(page, email);
    await page.getByText("this device").waitFor();
    expect(new URL(page.url()).pathname).toBe("/account/devices");
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: "service_token", httpOnly: true, sameSite: "Lax" });
    const seen = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
    );
    expect(seen).not.toContain(cookie?.value);
    await page.goBack();
    await page.goForward();
    await page.getByText("this device").waitFor();
    await page.getByRole("button", { name: /^Your account: Laura Callahan/ }).click();
    await page.getByRole("menuitem", { name: "Theme: Dark" }).click();
    await rest();
    await page.getByRole("button", { name: /^Your account: Laura Callahan/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
    expect(await context.cookies()).toEqual([]);
  },
);
