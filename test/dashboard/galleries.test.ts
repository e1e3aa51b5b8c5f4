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
