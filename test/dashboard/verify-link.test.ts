import { expect } from "vitest";
import { ask } from "../runtime/dashboard/support/ask.js";
import { journey } from "./support/journey.js";
import { password } from "./support/stage.js";

journey(
  "a mailed link verifies the address once, and a scanner that opens it first does not consume it",
  async ({ stage, open }) => {
    const email = "margaret.verify@example.com";
    await stage.app.db.query("delete from service.users where email = $1", [email]);
    const visit = await open({ at: "/register" });
    const { page } = visit;
    await page.getByLabel("Name").fill("Margaret Verify");
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    const { link } = await stage.mailAfter(email, async () => {
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Hello, Margaret Verify" }).waitFor();
    });
    const { pathname, search } = new URL(link);
    expect(pathname).toBe("/verify-email");
    for (const method of ["GET", "HEAD"]) {
      const answer = await ask(stage.url, method, pathname + search, {
        headers: { accept: "text/html" },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers["referrer-policy"]).toBe("no-referrer");
    }
    // In another browser, where nobody is signed in: the link alone proves the address.
    const other = await open({ at: link });
    expect(other.page.url()).toBe(`${stage.url}/verify-email`);
    await other.rest();
    await other.page.getByRole("button", { name: "Verify" }).click();
    await other.page.getByText("Your address is verified").waitFor();
    await page.goto("/account/profile");
    await page.getByText("verified", { exact: true }).waitFor();

    const again = await open({ at: link });
    await again.page.getByRole("button", { name: "Verify" }).click();
    await again.page.getByText("This link no longer works").waitFor();
  },
);
