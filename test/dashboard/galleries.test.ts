import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import { api, make, save } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

const descriptors = new Map([
  [
    "products.yaml",
    `title: name
list: [name, photos, papers]
fields:
  name: { type: string, required: true }
  photos: { type: image, list: true, maxItems: 3 }
  papers: { type: file, list: true }
`,
  ],
]);
const settings =
  "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n";

const journey = journeyOn(() =>
  sharedStage("galleries", () => openWrittenStage({ descriptors, settings })),
);

async function picture(name: string, background: string) {
  const buffer = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: "image/png", buffer };
}

journey(
  "several pictures are added, moved, removed and shown in a list",
  async ({ stage, open }) => {
    const as = await stage.person("Curator", "admin");
    const product = await make(stage, "products", { name: "Marmalade" });
    const visit = await open({ as, at: `/data/products/${product.id}` });
    const { page } = visit;
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files: Photos" }).click();
    const files = await Promise.all([
      picture("front.png", "#a33"),
      picture("back.png", "#3a3"),
      picture("side.png", "#33a"),
      picture("fourth.png", "#aaa"),
    ]);
    await (await chooser).setFiles(files);
    const photos = page.getByRole("list", { name: "Files: Photos" });
    const button = (name: string) =>
      photos.getByRole("button", { name: `Remove ${name}; move it with Alt and an arrow key` });
    await button("side.png").waitFor();
    const names = async () => {
      const all = photos.getByRole("button", { name: /^Remove / });
      const labels = await all.evaluateAll((found) =>
        found.map((one) => one.getAttribute("aria-label") ?? ""),
      );
      return labels.map((label) => label.split(/[ ;]/)[1]);
    };
    expect(await names()).toEqual(["front.png", "back.png", "side.png"]);
    // One more than the field takes is refused, and forgotten on demand.
    await page.getByText("fourth.png").waitFor();
    await page.getByRole("button", { name: "Cancel: fourth.png" }).click();
    await page.getByText("fourth.png").waitFor({ state: "detached" });

    // By keyboard: the focus goes along.
    await button("front.png").focus();
    await page.keyboard.press("Alt+ArrowRight");
    expect(await names()).toEqual(["back.png", "front.png", "side.png"]);
    await page.keyboard.press("Alt+ArrowRight");
    expect(await names()).toEqual(["back.png", "side.png", "front.png"]);
    // By the mouse.
    await photos.getByRole("listitem").nth(2).dragTo(photos.getByRole("listitem").nth(0));
    expect(await names()).toEqual(["front.png", "back.png", "side.png"]);
    await button("back.png").click();
    expect(await names()).toEqual(["front.png", "side.png"]);
    await visit.rest();
    await save(page);
    await page.getByText("Marmalade saved").waitFor();
    const stored = await api(stage, "GET", `/products/${product.id}`);
    expect(stored.body).toMatchObject({
      photosFiles: [{ name: "front.png" }, { name: "side.png" }],
    });

    const list = await open({ as, at: "/data/products" });
    const row = list.page.getByRole("row", { name: /Marmalade/ });
    await row.getByRole("img", { name: "front.png" }).waitFor();
    expect(await row.getByRole("img").count()).toBe(2);
  },
);

type Picture = Awaited<ReturnType<typeof picture>>;

/** A script for a `DataTransfer` with these pictures. */
function transferOf(files: readonly Picture[]): string {
  const sent = files.map(({ name, buffer }) => ({ name, base64: buffer.toString("base64") }));
  return `(() => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(sent)}) {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: "image/png" }));
    }
    return transfer;
  })()`;
}

/** What Ctrl V does with these pictures on the clipboard, where the focus is. */
const paste = (page: Page, files: readonly Picture[]) =>
  page.evaluate(
    `(() => {
      const clipboardData = ${transferOf(files)};
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    })()`,
  );

journey(
  "pictures are dropped and pasted, and one whose upload broke off is sent again",
  async ({ stage, open }) => {
    const as = await stage.person("Dropper", "admin");
    const product = await make(stage, "products", { name: "Chutney" });
    const visit = await open({ as, at: `/data/products/${product.id}` });
    const { page } = visit;
    const add = page.getByRole("button", { name: "Add files: Photos" });
    const photos = page.getByRole("list", { name: "Files: Photos" });
    const shown = (name: string) =>
      photos.getByRole("button", { name: new RegExp(`^Remove ${name};`) });
    await add.waitFor();
    const box = page.locator(".drop.gallery").first();

    visit.allow(/net::ERR_/);
    let isDown = true;
    await page.route("**/_service/uploads/**", (route) =>
      isDown ? route.abort("connectionreset") : route.continue(),
    );
    const dropped = [await picture("one.png", "#a33"), await picture("two.png", "#3a3")];
    await box.dispatchEvent("drop", {
      dataTransfer: await page.evaluateHandle(transferOf(dropped)),
    });
    const again = (name: string) => page.getByRole("button", { name: `Try again: ${name}` });
    await again("two.png").waitFor();
    await visit.rest();
    isDown = false;
    // By keyboard: the focus goes to what is left.
    await again("two.png").focus();
    await page.keyboard.press("Enter");
    await shown("two.png").waitFor();
    expect(await page.locator("button:focus").getAttribute("aria-label")).toBe("Add files: Photos");
    await again("one.png").click();
    await shown("one.png").waitFor();

    await add.focus();
    await paste(page, [await picture("three.png", "#33a"), await picture("four.png", "#aaa")]);
    await shown("three.png").waitFor();
    // The list is full: another picture makes room.
    await again("four.png").click();
    await page.getByText("At most 3 elements").waitFor();
    await shown("one.png").click();
    await again("four.png").click();
    await shown("four.png").waitFor();
    await save(page);
    await page.getByText("Chutney saved").waitFor();
    const stored = await api(stage, "GET", `/products/${product.id}`);
    expect(stored.body).toMatchObject({
      photosFiles: [{ name: "two.png" }, { name: "three.png" }, { name: "four.png" }],
    });
  },
);
