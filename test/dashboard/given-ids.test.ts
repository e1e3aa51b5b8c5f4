import { expect } from "vitest";
import { make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

const journey = journeyOn(() =>
  sharedStage("given-ids", () =>
    openWrittenStage({
      descriptors: new Map([
        [
          "words.yaml",
          "label: Words\nsingular: Word\nid: { type: string, given: true }\nfields: { meaning: { type: string, required: true } }\n",
        ],
        [
          "uses.yaml",
          "label: Uses\nsingular: Use\ntitle: sentence\nfields:\n  sentence: { type: string, required: true }\n  wordId: { type: belongsTo, resource: words, required: true, inverse: uses }\n",
        ],
      ]),
      settings:
        "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n",
    }),
  ),
);

const ids = ["new", "trash", "%6Eew", "a/b & c?", "50 %", "é#1"];

journey("records open whatever their given ids are", async ({ stage, open }) => {
  for (const id of ids) await make(stage, "words", { id, meaning: `meaning of ${id}` });
  const { page } = await open({ as: await stage.person("Reads", "admin"), at: "/data/words" });
  const meaning = page.getByRole("main").getByLabel("Meaning");
  for (const id of ids) {
    await page.getByRole("link", { name: `meaning of ${id}`, exact: true }).click();
    await expect.poll(() => meaning.inputValue(), { message: id }).toBe(`meaning of ${id}`);
    await page.reload();
    await expect.poll(() => meaning.inputValue(), { message: id }).toBe(`meaning of ${id}`);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Words" }).waitFor();
  }
  await page.goto("/data/words/new");
  await page.getByRole("heading", { level: 1, name: "New word" }).waitFor();
});

journey("links to the records of a record hold any given id", async ({ stage, open }) => {
  for (const id of ["R&D #1+50%", "R", "R&D"]) {
    await make(stage, "words", { id, meaning: `sense of ${id}` });
    await make(stage, "uses", { sentence: `use of ${id}`, wordId: id });
  }
  const as = await stage.person("Follows", "admin");
  const { page } = await open({ as, at: "/data/words" });
  await page.getByRole("link", { name: "sense of R&D #1+50%", exact: true }).click();
  await page.getByRole("link", { name: "Uses 1" }).click();
  await page.getByRole("link", { name: "Open as a list" }).click();
  const only = async () => {
    await page.getByText("1–1 of 1").waitFor();
    await page.getByRole("link", { name: "use of R&D #1+50%", exact: true }).waitFor();
  };
  await only();
  await page.goBack();
  await page.getByRole("link", { name: "New use" }).click();
  const word = page.getByRole("main").getByRole("combobox", { name: "Word" });
  await expect.poll(() => word.inputValue()).toBe("sense of R&D #1+50%");
  await page.goBack();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("link", { name: "Show them: Uses" }).click();
  await only();
  await page.goBack();
  await page.getByRole("button", { name: "Duplicate" }).click();
  await page.getByRole("heading", { level: 1, name: "New word" }).waitFor();
  const meaning = page.getByRole("main").getByLabel("Meaning");
  await expect.poll(() => meaning.inputValue()).toBe("sense of R&D #1+50%");
});
