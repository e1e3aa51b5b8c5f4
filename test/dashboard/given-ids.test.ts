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
