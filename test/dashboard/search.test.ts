import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, type Stage, sharedStage } from "./support/stage.js";

const books = `label: Books
singular: Book
title: name
list: [kind]
search: { language: english, fields: { name: A, summary: B } }
access: { read: signed-in, write: [admin, clerk] }
fields:
  name: { type: string, required: true }
  summary: { type: text }
  kind: { type: string }
`;

function searchStage(): Promise<Stage> {
  return sharedStage("search", () =>
    openWrittenStage({
      descriptors: new Map([["books.yaml", books]]),
      settings: `auth: { check_breached_passwords: false, operators: [admin], profiles: signed-in }
server: { host: 127.0.0.1 }
`,
    }),
  );
}

const journey = journeyOn(searchStage);

/** A word that no other journey uses. */
function freshWord(name: string): string {
  const letters = fresh(name).replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
  return `${letters.replaceAll(/[^a-z]/g, "")}s`;
}

journey("a search of a list finds forms of words, and shows why", async ({ stage, open }) => {
  const word = freshWord("walrus");
  const named = await make(stage, "books", { name: `Of ${word} & <b>ships</b>` });
  const hidden = await make(stage, "books", { name: fresh("Plain"), summary: `On ${word} here.` });
  const other = await make(stage, "books", { name: fresh("Other"), kind: word });
  const as = await stage.person("Searches Books", "clerk");
  const visit = await open({ as, at: "/data/books" });
  const { page } = visit;
  await page.getByRole("searchbox").fill(word);
  const row = (id: string) => page.locator(`tr[data-id="${id}"]`);
  await row(other.id).waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(word);
  expect(await row(named.id).locator("mark").allTextContents()).toEqual([word]);
  await page.getByRole("link", { name: `Of ${word} & <b>ships</b>`, exact: true }).waitFor();
  expect(await row(hidden.id).locator("mark").allTextContents()).toEqual([word]);
  expect(await row(hidden.id).getByText(`On ${word} here.`).count()).toBe(1);
  await visit.rest();

  // All that match are deleted, on each page, and nothing else.
  await page.goto(`/data/books?q=${word}&perPage=1`);
  await page.getByLabel(/^Select all/).check();
  await page.getByRole("button", { name: "Select all 2 that match" }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete 2 books?" });
  await question.getByRole("button", { name: "Delete 2 books" }).click();
  await question.getByText("2 of 2 books deleted").waitFor();
  expect((await api(stage, "GET", `/books/${hidden.id}`)).status).toBe(404);
  expect((await api(stage, "GET", `/books/${other.id}`)).status).toBe(200);
});

journey("Ctrl K finds records by their words", async ({ stage, open }) => {
  const word = freshWord("narwhal");
  const { id } = await make(stage, "books", { name: fresh("Sea"), summary: `All about ${word}` });
  const visit = await open({ as: await stage.person("Jumps", "clerk"), at: "/" });
  const { page } = visit;
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Jump to/ }).fill(word.slice(0, -1));
  const option = page.getByRole("option", { name: /^Sea/ });
  await option.waitFor();
  expect(await option.locator("mark").allTextContents()).toEqual([word]);
  await visit.rest();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/data/books/${id}`);
});
