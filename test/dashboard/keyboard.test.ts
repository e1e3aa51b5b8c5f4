import type { Page } from "playwright-core";
import { expect } from "vitest";
import { journey } from "./support/journey.js";
import { password } from "./support/stage.js";

/** Presses Tab until an element of that name has the focus; each stop on the way has to be seen. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press("Tab");
    const { label, isSeen } = await page.evaluate<{ label: string; isSeen: boolean }>(focused);
    expect([label, isSeen]).toEqual([label, true]);
    if (name.test(label)) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** What has the focus, and whether it is the topmost thing where it is: no bar covers it. */
const focused = `(() => {
  const one = document.activeElement;
  const label = one.getAttribute("aria-label") || one.labels?.[0]?.textContent || one.textContent || one.tagName;
  const { left, top, width, height } = one.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
  const isSeen = one === document.body || (found !== null && (one.contains(found) || found.contains(one)));
  return { label: label.trim(), isSeen };
})()`;

journey(
  "signing in, changing the name and ending a session work by the keyboard alone",
  async ({ stage, open }) => {
    const person = await stage.person("Kim Keyboard");
    await stage.cookieOf(person, "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0");
    const visit = await open({ at: "/sign-in?redirectTo=%2Faccount%2Fprofile" });
    const { page } = visit;
    const { keyboard } = page;
    // The address has the focus from the start; what is typed before the form is there is lost.
    await page.getByLabel("Email address").and(page.locator(":focus")).waitFor();
    await keyboard.type(person.email);
    await keyboard.press("Tab");
    await keyboard.type(password);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Profile" }).waitFor();

    await tabTo(page, /^Name$/);
    await keyboard.press("Control+a");
    await keyboard.type("Kim Keys");
    await keyboard.press("Enter");
    await page.getByText("Saved").waitFor();

    // From the start of the page: the skip link leads past the navigation.
    await page.reload();
    await page.getByRole("heading", { name: "Profile" }).waitFor();
    await page.evaluate("document.activeElement.blur()");
    await tabTo(page, /^Skip to the content$/);
    await keyboard.press("Enter");
    await tabTo(page, /^Devices$/);
    await keyboard.press("Enter");
    await page.getByText("Firefox on Windows").waitFor();
    await tabTo(page, /^Sign out all others$/);
    await keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Sign out all other devices?" });
    await question.waitFor();
    await keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate("document.activeElement.textContent"))
      .toBe("Sign out all others");
    await tabTo(page, /^Sign out Firefox on Windows$/);
    await keyboard.press("Enter");
    await page.getByText("Firefox on Windows is signed out").waitFor();
    await visit.rest();

    await keyboard.press("Control+k");
    await page
      .getByRole("combobox", { name: "Jump to a page or a record, or run an action" })
      .waitFor();
    await keyboard.type("password");
    await keyboard.press("Enter");
    await page.getByLabel("Current password").waitFor();
    await tabTo(page, /^Your account: /);
    await keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    await keyboard.press("End");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
  },
);
