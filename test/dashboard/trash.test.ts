import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, type Stage, sharedStage } from "./support/stage.js";

const notes = `label: Notes
singular: Note
title: name
trash: 30
changes: { history: 30 }
access: { read: signed-in, write: [admin, clerk], history: signed-in, purge: [admin] }
fields: { name: { type: string, required: true, unique: true } }
`;

function trashStage(): Promise<Stage> {
  return sharedStage("trash", () =>
    openWrittenStage({
      descriptors: new Map([["notes.yaml", notes]]),
      settings: `auth: { check_breached_passwords: false, operators: [admin], profiles: signed-in }
server: { host: 127.0.0.1 }
`,
    }),
  );
}

const journey = journeyOn(trashStage);

journey("a delete is undone by a restore, which its history shows", async ({ stage, open }) => {
  const as = await stage.person("Restores Notes", "clerk");
  const note = await make(stage, "notes", { name: fresh("Kept") });
  const visit = await open({ as, at: `/data/notes/${note.id}` });
  const { page } = visit;
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByText("It is moved to the trash").waitFor();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByText(`${note.name} deleted`).waitFor();
  expect((await api(stage, "GET", `/notes/${note.id}`)).status).toBe(404);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText(`${note.name} is restored`).waitFor();
  expect((await api(stage, "GET", `/notes/${note.id}`)).status).toBe(200);

  await page.goto(`/data/notes/${note.id}/_history`);
  await page.getByRole("heading", { name: "Moved to the trash by you" }).waitFor();
  await page.getByRole("heading", { name: "Restored from the trash by you" }).waitFor();
  await visit.rest();
});

journey("a deletion of several records is undone by restoring them", async ({ stage, open }) => {
  const prefix = fresh("Several");
  const names = ["one", "two", "three"].map((name) => `${prefix} ${name}`);
  for (const name of names) await make(stage, "notes", { name });
  const as = await stage.person("Deletes Several", "clerk");
  const visit = await open({ as, at: `/data/notes?q=${encodeURIComponent(prefix)}` });
  const { page } = visit;
  for (const name of names) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByText("They are moved to the trash.").waitFor();
  await page.getByRole("button", { name: "Delete 3 Notes" }).click();
  await page.getByText("3 of 3 notes deleted").waitFor();
  const living = async () =>
    (await api(stage, "GET", `/notes?q=${encodeURIComponent(prefix)}`)).body;
  expect(await living()).toMatchObject({ meta: { total: 0 } });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("3 of 3 notes restored").waitFor();
  await page
    .getByRole("row")
    .filter({ hasText: names[0] ?? "" })
    .waitFor();
  expect(await living()).toMatchObject({ meta: { total: 3 } });
  await visit.rest();
});

journey("the trash shows who and when, restores and deletes several", async ({ stage, open }) => {
  const names = [fresh("One"), fresh("Two"), fresh("Three")];
  for (const name of names) {
    const { id } = await make(stage, "notes", { name });
    await api(stage, "DELETE", `/notes/${id}`);
  }
  const as = await stage.person("Empties Trash", "admin");
  const visit = await open({ as, at: "/data/notes" });
  const { page } = visit;
  await page.getByRole("link", { name: "Trash" }).click();
  await page.getByRole("heading", { name: "Trash: Notes" }).waitFor();
  await page.getByText("Deleted records are kept for 30 days.").waitFor();
  const row = (name: string | undefined) => page.getByRole("row").filter({ hasText: name ?? "" });
  for (const name of names) await row(name).getByRole("time").waitFor();
  await visit.rest();

  await page.getByLabel(`Select ${names[0]}`).check();
  await page.getByLabel(`Select ${names[1]}`).check();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("2 of 2 notes restored").waitFor();
  await expect.poll(() => row(names[0]).count()).toBe(0);

  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete permanently" }).click();
  await page.getByText("The trash is empty.").waitFor();
  const left = await api(stage, "GET", "/notes?trash=only");
  expect(left.body).toMatchObject({ meta: { total: 0 } });
});
