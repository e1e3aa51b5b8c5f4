import { expect } from "vitest";
import { api } from "./support/api.js";
import { journeyOn } from "./support/journey.js";
import { openStage, sharedStage } from "./support/stage.js";

const journey = journeyOn(() =>
  sharedStage("nobody's profiles", () => openStage("apps/shop", { SHOP_PROFILES: "nobody" })),
);

journey(
  "no request is sent only to find out whether it is allowed",
  async ({ stage, open, notByTouch }) => {
    notByTouch("a phone has no room beside the list; a touch opens the record");
    const admin = await stage.person("Unnamed", "admin");
    const call = await api(stage, admin);
    const name = `Customer ${admin.email}`;
    const values = { name, email: admin.email, notes: "Only asked for.", accountId: admin.id };
    const { id } = await call<{ id: string }>("POST", "/customers", values);
    const { page } = await open({ as: await stage.person("Editor", "editor") });
    const asked: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      const isRefused = response.status() === 401 || response.status() === 403;
      if (isRefused || pathname.startsWith("/api/_service/accounts")) asked.push(pathname);
    });
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.goto(`/data/customers?q=${encodeURIComponent(admin.email)}`);
    await page.getByRole("button", { name: `Quick look at ${name}` }).click();
    const look = page.getByRole("complementary", { name });
    await look.getByText("Only asked for.").waitFor();
    await page.goto(`/data/customers/${id}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(asked).toEqual([]);
    expect(await page.getByRole("alert").allTextContents()).toEqual([]);
  },
);
