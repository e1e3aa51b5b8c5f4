import sharp from "sharp";
import { expect } from "vitest";
import { make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, type Stage, sharedStage } from "./support/stage.js";
import { smallTargets } from "./support/targets.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

const descriptors = new Map([
  [
    "products.yaml",
    `title: name
list: [name, price, stock, photo]
fields:
  name: { type: string, required: true }
  price: { type: number, decimals: 2 }
  stock: { type: number, integer: true }
  photo: { type: image, profile: product, alt: shows }
  shows: { type: string }
  photos: { type: image, list: true }
`,
  ],
]);
const settings =
  "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n";

const journey = journeyOn(() =>
  sharedStage("gallery-list", () => openWrittenStage({ descriptors, settings })),
);

/** Uploads a picture, and resolves with its key. */
async function upload(stage: Stage, field: string): Promise<string> {
  const create = { width: 1200, height: 900, channels: 3, background: "#a33" } as const;
  const response = await fetch(
    `${stage.app.url}/api/_service/uploads/products/${field}?name=a.png`,
    {
      method: "PUT",
      headers: { authorization: `Bearer ${stage.app.token}`, accept: "application/json" },
      body: new Uint8Array(await sharp({ create }).png().toBuffer()),
    },
  );
  const { key } = (await response.json()) as { readonly key: string };
  return key;
}

journey("a list is a gallery of pictures, also on a phone", async ({ stage, open }) => {
  const as = await stage.person("Looks", "admin");
  await make(stage, "products", {
    name: "Marmalade",
    price: 4.5,
    stock: 7,
    photo: await upload(stage, "photo"),
    shows: "A jar",
    photos: [await upload(stage, "photos"), await upload(stage, "photos")],
  });
  await make(stage, "products", { name: "Honey", price: 6 });
  const visit = await open({ as, at: "/data/products?sort=name" });
  const { page } = visit;
  const ways = page.getByRole("navigation", { name: "Show as" });
  await ways.getByRole("link", { name: "Gallery" }).click();
  const cards = page.getByRole("list", { name: "products" }).getByRole("listitem");
  await expect.poll(() => cards.count()).toBe(2);
  expect(await ways.getByRole("link").allTextContents()).toEqual(["Table", "Gallery"]);
  expect(new URL(page.url()).searchParams.get("show")).toBe("gallery:photo");
  const [honey, marmalade] = [cards.nth(0), cards.nth(1)];
  expect(await honey.getByRole("link").textContent()).toBe("Honey");
  expect(await honey.getByRole("img").count()).toBe(0);
  expect(await marmalade.getByRole("definition").allTextContents()).toEqual(["4.50", "7"]);
  // Cards have no heads by which to sort.
  await page.getByLabel("Sort", { exact: true }).selectOption("-price");
  await expect.poll(() => cards.first().getByRole("link").textContent()).toBe("Honey");
  await page.getByLabel("Sort", { exact: true }).selectOption("-name");
  await expect.poll(() => cards.first().getByRole("link").textContent()).toBe("Marmalade");
  expect(new URL(page.url()).searchParams.get("sort")).toBe("-name");
  await page.goBack();
  await page.goBack();
  await expect.poll(() => cards.first().getByRole("link").textContent()).toBe("Honey");
  const picture = marmalade.getByRole("img", { name: "A jar" });
  // A rendition: the picture itself would be larger than needed.
  await picture.waitFor();
  const width = "document.querySelector('img[alt=\"A jar\"]').naturalWidth";
  await expect.poll(() => page.evaluate(width)).toBe(320);
  await visit.rest();

  // Cards are selected as rows are.
  await cards.getByRole("checkbox", { name: "Select Marmalade" }).check();
  await page.getByText("1 selected").waitFor();
  await visit.rest();
  await marmalade.getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Marmalade" }).waitFor();
  await page.goBack();
  await expect.poll(() => cards.count()).toBe(2);
  await ways.getByRole("link", { name: "Table" }).click();
  await page.getByRole("table").waitFor();

  const other = await open({ ...phone, as, at: "/data/products?show=gallery:photos&sort=-name" });
  const small = other.page.getByRole("list", { name: "products" });
  await small.getByRole("link").first().waitFor();
  expect(await small.getByRole("link").allTextContents()).toEqual(["Marmalade", "Honey"]);
  await small.locator("img").waitFor();
  await other.rest();
  expect(await other.page.evaluate(smallTargets)).toEqual([]);
});

journey("a gallery keeps the filters of its list", async ({ stage, open }) => {
  const as = await stage.person("Filters", "admin");
  await make(stage, "products", { name: "Cheap jam", price: 1 });
  await make(stage, "products", { name: "Dear jam", price: 90 });
  const at = "/data/products?filter[name][contains]=jam&filter[price][gt]=50&show=gallery:photo";
  const { page } = await open({ as, at });
  const cards = page.getByRole("list", { name: "products" });
  await expect.poll(() => cards.getByRole("link").allTextContents()).toEqual(["Dear jam"]);
  await page.getByRole("button", { name: "Remove the filter" }).last().click();
  await expect
    .poll(async () => (await cards.getByRole("link").allTextContents()).toSorted())
    .toEqual(["Cheap jam", "Dear jam"]);
  await page.reload();
  await cards.getByRole("link", { name: "Cheap jam" }).waitFor();
});
