import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, onTestFinished, vi } from "vitest";
import { fresh, save } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

const journey = journeyOn(() =>
  sharedStage("private files", () =>
    openWrittenStage({
      descriptors: new Map([
        [
          "papers.yaml",
          `access: { read: [clerk, guest], write: [clerk] }
fields:
  name: { type: string, required: true }
  scan: { type: image, profile: product, private: true, access: { read: [clerk] } }
  letter: { type: file, private: true, access: { read: [clerk] } }
`,
        ],
      ]),
      settings: `auth: { check_breached_passwords: false }
server: { host: 127.0.0.1 }
`,
    }),
  ),
);

async function choose(page: Page, field: string, name: string, buffer: Buffer): Promise<void> {
  const mimeType = name.endsWith(".png") ? "image/png" : "text/plain";
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: `Choose a file: ${field}` }).click();
  await (await chooser).setFiles({ name, mimeType, buffer });
  await page.getByRole("link", { name }).waitFor();
}

/** The address of the picture in the row of that name, once it is drawn. */
async function drawnPicture(page: Page, name: string): Promise<string> {
  const picture = page.getByRole("row").filter({ hasText: name }).locator("img.thumb");
  await picture.waitFor();
  const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth;
  await expect.poll(() => picture.evaluate(widthOf)).toBeGreaterThan(0);
  return (await picture.getAttribute("src")) ?? "";
}

/** What the browser gets from an address, past what it keeps. */
function statusIn(page: Page, path: string): Promise<unknown> {
  return page.evaluate(
    `fetch(${JSON.stringify(path)}, { cache: "reload" }).then((answer) => answer.status)`,
  );
}

journey(
  "private pictures are uploaded, listed and downloaded, and renew their addresses",
  async ({ stage, open }) => {
    const clerk = await stage.person("Clara Clerk", "clerk");
    const visit = await open({ as: clerk, at: "/data/papers/new" });
    const { page } = visit;
    const name = fresh("Passport");
    await page.getByLabel("Name").fill(name);
    const red = { width: 64, height: 48, channels: 3, background: "#a33" } as const;
    await choose(page, "Scan", "passport.png", await sharp({ create: red }).png().toBuffer());
    await choose(page, "Letter", "letter.txt", Buffer.from("Dear Clara,"));
    await save(page);
    await page.getByRole("heading", { level: 1, name }).waitFor();

    await page.goto("/data/papers");
    const first = await drawnPicture(page, name);
    expect(first).toMatch(/\.thumb\.webp\?until=\d+&signature=[\w-]{43}&redirect=false$/);
    await visit.rest();
    await page.getByRole("link", { name }).first().click();
    const letter = page.getByRole("link", { name: "letter.txt" });
    const address = (await letter.getAttribute("href")) ?? "";
    const [download] = await Promise.all([page.waitForEvent("download"), letter.click()]);
    expect(download.suggestedFilename()).toBe("letter.txt");

    // Whoever has the address has the file, for as long as it is good.
    const asStranger = async (path: string) => (await fetch(stage.url + path)).status;
    expect([await asStranger(first), await asStranger(address)]).toEqual([200, 200]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect([await asStranger(first), await asStranger(address)]).toEqual([404, 404]);
    // A page that is still open shows its pictures all the same, and the next list has new addresses.
    expect([await statusIn(page, first), await statusIn(page, address)]).toEqual([200, 200]);
    await page.goto("/data/papers");
    const second = await drawnPicture(page, name);
    expect(second).not.toBe(first);
    expect(await asStranger(second)).toBe(200);
    vi.useRealTimers();

    const guest = await stage.person("Gus Guest", "guest");
    const other = await open({ as: guest, at: "/data/papers" });
    await other.page.getByRole("link", { name }).first().waitFor();
    expect(await other.page.locator("img.thumb").count()).toBe(0);
    const bare = [first, address].map((path) => path.split("?")[0] ?? "");
    for (const path of bare) {
      expect([await statusIn(page, path), await statusIn(other.page, path)]).toEqual([200, 404]);
    }
    const nobody = await open({ as: await stage.person("Nora Nobody"), at: "/" });
    for (const path of bare) expect(await statusIn(nobody.page, path)).toBe(404);
  },
);
