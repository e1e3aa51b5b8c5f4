import type { Page } from "playwright-core";
import { password } from "../support/stage.js";

/** Fills the form in and sends it; what follows is the journey's business. */
export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
