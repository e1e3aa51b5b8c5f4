import type { Page } from "playwright-core";
import { expect } from "vitest";
import { makeProduct } from "./pages/record.js";
import { scan } from "./pages/second-step.js";
import { journey } from "./support/journey.js";

/** Pages that come without TLS lack it. */
const noClipboard = "delete Navigator.prototype.clipboard";

/** Presses a button that copies, and waits until it says so; the focus stays on it. */
async function copy(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name });
  await button.click();
  await page.getByText("Copied", { exact: true }).waitFor();
  await button.and(page.locator(":focus")).waitFor();
}

/** What is on the clipboard, as somebody finds it who pastes it into a field. */
async function pasted(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label);
  await field.fill("");
  await field.press("ControlOrMeta+v");
  return field.inputValue();
}

journey("without TLS copied text can be pasted too", async ({ stage, open }) => {
  const as = await stage.person("Copies", "editor");
  const product = await makeProduct(stage);
  const { context, page } = await open({ as });
  await context.addInitScript(noClipboard);
  await page.goto(`/data/products/${product.id}`);
  await copy(page, "Copy id");
  expect(await page.evaluate("navigator.clipboard")).toBeUndefined();
  expect(await pasted(page, "Name")).toBe(product.id);
  await copy(page, "Copy link");
  expect(await pasted(page, "Name")).toBe(page.url());
  await page.getByRole("button", { name: "Discard" }).click();

  await page.goto("/account/second-step");
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const secret = (await scan(page)).searchParams.get("secret") ?? "";
  await copy(page, "Copy the secret");
  // The field of the code takes digits alone.
  await page.getByRole("link", { name: "Profile" }).click();
  expect(await pasted(page, "Name")).toBe(secret);
});
