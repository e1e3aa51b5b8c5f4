import sharp from "sharp";
import { expect } from "vitest";
import { journey } from "./support/journey.js";

const red = { r: 200, g: 30, b: 30 };
const blue = { r: 30, g: 30, b: 200 };

journey("a picture is cropped and removed", async ({ stage, open }) => {
  const person = await stage.person("Andrew Fuller");
  const visit = await open({ as: person, at: "/account/profile" });
  const { page } = visit;
  const half = { create: { width: 320, height: 480, channels: 3 as const, background: blue } };
  const file = await sharp({ create: { width: 640, height: 480, channels: 3, background: red } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: 320, top: 0 }])
    .png()
    .toBuffer();
  const chosen = page.getByLabel("Picture", { exact: true });
  const broken = Buffer.from("no picture");
  await chosen.setInputFiles({ name: "no.png", mimeType: "image/png", buffer: broken });
  await page.getByText("cannot show this file as a picture").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await chosen.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: file });
  await page.getByLabel("Zoom").fill("2");
  await visit.rest();
  const area = page.getByRole("dialog").locator("canvas");
  const seen = async () => {
    const { channels } = await sharp(await area.screenshot()).stats();
    const [r, , b] = channels;
    return [r, b].map((channel) => Math.round(channel?.mean ?? 0) > 100);
  };
  expect(await seen()).toEqual([true, true]);
  // By keys to one end, and by hand to the other.
  await page.getByLabel("Left and right").press("End");
  await expect.poll(seen).toEqual([false, true]);
  await area.hover({ position: { x: 4, y: 100 } });
  await page.mouse.down();
  // The square shows 240 of 640 columns; the picture stays under the hand.
  const { width = 0, x = 0, y = 0 } = (await area.boundingBox()) ?? {};
  await page.mouse.move(x + 4 + width / 2, y + 100, { steps: 4 });
  await expect.poll(seen).toEqual([false, true]);
  await page.mouse.move(x + 4 + width * 1.8, y + 100, { steps: 4 });
  await page.mouse.up();
  await expect.poll(seen).toEqual([true, false]);
  await page.getByRole("button", { name: "Use picture" }).click();
  await page.getByRole("button", { name: "Replace" }).waitFor();
  // The account's picture, by the dashboard's own path and never by the storage's address.
  const shown = page.getByRole("region", { name: "Profile" }).locator("img");
  expect(await shown.getAttribute("src")).toMatch(/^\/api\/_service\/files\/users\/avatar\//);
  const drawn = await shown.screenshot();
  const { dominant } = await sharp(drawn).stats();
  expect(dominant.r).toBeGreaterThan(150);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Choose a picture" }).waitFor();
});
