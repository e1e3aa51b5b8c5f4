import { expect } from "vitest";
import { journey } from "./support/journey.js";

journey(
  "a single device is signed out, this one is listed first and stays",
  async ({ stage, open }) => {
    const person = await stage.person("Nadia Devices");
    const phone = await open({
      as: person,
      at: "/account/profile",
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    });
    await stage.cookieOf(person);
    const visit = await open({ as: person, at: "/account/devices" });
    const { page } = visit;
    const devices = page.getByRole("region", { name: "Devices" }).getByRole("listitem");
    await expect.poll(() => devices.count()).toBe(3);
    expect(await devices.first().textContent()).toContain("this device");
    await visit.rest();
    await page.getByRole("button", { name: "Sign out Safari on iPhone" }).click();
    await page.getByText("Safari on iPhone is signed out").waitFor();
    await expect.poll(() => devices.count()).toBe(2);
    await visit.rest();
    await phone.page.reload();
    await phone.page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
  },
);
