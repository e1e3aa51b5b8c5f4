import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import { fresh, make } from "./pages/record.js";
import { journey } from "./support/journey.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

/** What somebody copied elsewhere is pasted where the focus is. */
async function paste(page: Page, name: string): Promise<void> {
  const bytes = await sharp({
    create: { width: 1200, height: 800, channels: 3, background: "#1f6f5c" },
  })
    .png()
    .toBuffer();
  await page.evaluate(
    `(() => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(bytes.toString("base64"))}), (sign) => sign.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], ${JSON.stringify(name)}, { type: "image/png" }));
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    })()`,
  );
}

journey(
  "a picture is pasted, seen at 240 pixels, enlarged with its size, and downloaded",
  async ({ stage, open, notByTouch }) => {
    notByTouch("pictures are pasted with keys");
    const admin = await stage.person("Pastes", "admin");
    const name = fresh("Pasted");
    await make(stage, "categories", { name });
    const category = await make(stage, "categories", { name: fresh("Other") });
    const visit = await open({ as: admin, at: `/data/categories/${category.id}` });
    const { page } = visit;
    await page.getByRole("button", { name: "Choose a file: Banner" }).waitFor();
    // A field for text keeps what is pasted into it.
    await page.getByLabel("Name", { exact: true }).focus();
    await paste(page, "text.png");
    expect(await page.getByText("text.png").count()).toBe(0);
    await page.getByRole("button", { name: "Choose a file: Banner" }).focus();
    await paste(page, "green.png");
    const enlarge = page.getByRole("button", { name: /^Enlarge green/ });
    await enlarge.waitFor();
    expect((await enlarge.boundingBox())?.width).toBeGreaterThanOrEqual(240);
    await visit.rest();
    await enlarge.press("Enter");
    const view = page.getByRole("dialog", { name: /^green/ });
    await view.getByText(/^[\d,]+ × [\d,]+ pixels/).waitFor();
    await visit.rest();
    const download = page.waitForEvent("download");
    await view.getByRole("link", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toMatch(/^green/);
    await page.keyboard.press("Escape");
    await view.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Discard" }).click();
  },
);

journey(
  "pictures of a list are shown one after the other, by keys and by touch",
  async ({ stage, open }) => {
    const admin = await stage.person("Walks Pictures", "admin");
    const names = [fresh("First"), fresh("Second")];
    const bytes = readFileSync(join(import.meta.dirname, "../../fixtures/pictures/everything.jpg"));
    const category = await make(stage, "categories", { name: `All ${admin.email}` });
    for (const name of names) {
      const path = `/api/_service/uploads/products/image?name=${encodeURIComponent(name)}.jpg`;
      const answer = await fetch(stage.app.url + path, {
        method: "PUT",
        headers: { accept: "application/json", authorization: `Bearer ${stage.app.token}` },
        body: new Uint8Array(bytes),
      });
      const { key } = (await answer.json()) as { key: string };
      await make(stage, "products", { name, price: 1, categoryId: category.id, image: key });
    }
    const at = `/data/products?filter[categoryId]=${category.id}&sort=name`;
    for (const options of [{}, phone]) {
      const visit = await open({ ...options, as: admin, at });
      const { page } = visit;
      await page.getByText("1–2 of 2").waitFor();
      if (options === phone) {
        await page.getByRole("link", { name: names[0] ?? "" }).tap();
        await page.getByRole("button", { name: /^Enlarge/ }).tap();
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
        await visit.rest();
        continue;
      }
      await page.getByRole("row").nth(1).focus();
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: /^Enlarge/ }).press("Enter");
      const view = page.getByRole("dialog");
      await view.getByText("1 of 2").waitFor();
      await page.keyboard.press("ArrowRight");
      await view.getByText("2 of 2").waitFor();
      await view.getByRole("button", { name: "Next" }).click();
      await view.getByText("1 of 2").waitFor();
      await visit.rest();
    }
  },
);
