import { expect } from "vitest";
import { client } from "../support/http/client.js";
import { journey } from "./support/journey.js";

journey(
  "events are paged by cursor, newest first, and filtered by account and kind",
  async ({ stage, open }) => {
    const { id, email } = await stage.person("Laura Callahan");
    const api = client(stage.app.url, stage.app.token);
    const path = `/_service/accounts/${id}`;
    // Two pages and one: with what made the account, 53 events.
    for (let change = 1; change <= 51; change += 1) {
      expect((await api.patch(path, { name: `Laura ${change}` })).status).toBe(200);
    }
    expect((await api.patch(path, { disabled: true })).status).toBe(200);

    const chief = await stage.person("Chief", "admin");
    const visit = await open({ as: chief, at: "/accounts/events" });
    const { page } = visit;
    const rows = page.locator("tbody tr");
    // All events: those of every account, the own sign-in first.
    await page.getByRole("row", { name: `Signed in ${chief.email}` }).waitFor();
    expect(await rows.count()).toBe(25);

    await page.getByRole("link", { name: "People" }).click();
    await page.getByLabel("Search accounts").fill(email);
    await page.getByRole("link", { name: "Laura 51" }).click();
    await page.getByRole("link", { name: "All events" }).click();
    const older = page.getByRole("button", { name: "Show older events" });
    const only = page.getByRole("button", { name: `Only ${email}` });
    await only.waitFor();
    await expect.poll(() => rows.count()).toBe(25);
    await visit.rest();
    await older.click();
    await expect.poll(() => rows.count()).toBe(50);
    await older.click();
    await expect.poll(() => rows.count()).toBe(53);
    expect(await older.count()).toBe(0);
    const kinds = await rows.locator("td:first-child").allTextContents();
    expect(kinds).toEqual([
      "Account disabled",
      ...Array.from({ length: 51 }, () => "Account changed"),
      "Account created",
    ]);
    const times = await rows
      .locator("time")
      .evaluateAll((all) => all.map((one) => one.getAttribute("datetime") ?? ""));
    expect(times).toEqual([...times].sort().reverse());

    await page.getByLabel("Kind").selectOption({ label: "Account disabled" });
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.textContent()).toContain(`${email} by caller-1@example.com`);
    await page.reload();
    await only.waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByLabel("Kind").selectOption({ label: "Passkey removed" });
    await page.getByText("There are no events of this kind").waitFor();
    await page.getByRole("button", { name: /^Only / }).click();
    await page.getByLabel("Kind").selectOption({ label: "Kind: any" });
    await expect.poll(() => rows.count()).toBe(25);
  },
);
