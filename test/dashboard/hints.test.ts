import sharp from "sharp";
import { expect } from "vitest";
import { api, field, save } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

const staff = {
  label: "Staff",
  singular: "Employee",
  fields: {
    name: { type: "string", required: true },
    code: { type: "string", pattern: "[A-Z]{2}", patternHint: "Two capital letters" },
    portrait: { type: "image", alt: "name" },
  },
};

const descriptors = new Map([["staff.json", JSON.stringify(staff)]]);
const staffJourney = journeyOn(() => sharedStage("staff", () => openWrittenStage({ descriptors })));

staffJourney(
  "a pattern is explained in words, and a picture described by its field, by touch",
  async ({ stage, open }) => {
    const as = await stage.person("Hires", "admin");
    const visit = await open({ ...phone, as, at: "/data/staff/new" });
    const { page } = visit;
    await field(page, "Name").fill("Ada Lovelace");
    await field(page, "Code").fill("a1");
    await save(page);
    await page.getByText("Two capital letters").first().waitFor();
    expect(await page.getByText("[A-Z]{2}").count()).toBe(0);
    await visit.rest();
    await field(page, "Code").fill("AL");
    const buffer = await sharp({
      create: { width: 600, height: 400, channels: 3, background: "#336699" },
    })
      .png()
      .toBuffer();
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "ada.png", mimeType: "image/png", buffer });
    await page.getByRole("button", { name: /^Enlarge ada/ }).waitFor();
    await save(page);
    await page.getByRole("heading", { level: 1, name: "Ada Lovelace" }).waitFor();
    await visit.rest();

    // What was saved last is taken back by a touch.
    await field(page, "Code").fill("BB");
    await page.getByRole("button", { name: "Save", exact: true }).tap();
    await page.getByText("Ada Lovelace saved").waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).tap();
    await page.getByText("Ada Lovelace is as before").waitFor();
    expect((await api(stage, "GET", "/staff")).body).toMatchObject({ data: [{ code: "AL" }] });
    await page.getByRole("button", { name: /^Enlarge/ }).tap();
    const large = page.getByRole("dialog").getByRole("img", { name: "Ada Lovelace" });
    await large.waitFor();
    await visit.rest();
    await page.keyboard.press("Escape");
    await large.waitFor({ state: "detached" });
  },
);
