import type { Page } from "playwright-core";
import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, type Stage, sharedStage } from "./support/stage.js";

const journey = journeyOn(() =>
  sharedStage("calendar-moves", () =>
    openWrittenStage({
      descriptors: new Map([
        [
          "visits.yaml",
          `label: Visits
singular: Visit
title: name
changes: true
access: { read: signed-in, write: [admin, clerk] }
fields:
  name: { type: string, required: true }
  plannedOn: { type: date }
  beginsAt: { type: timestamp }
  guide: { type: string }
`,
        ],
      ]),
      settings:
        "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n",
    }),
  ),
);

/** What a visit has on the server. */
const stored = async (stage: Stage, id: string) =>
  (await api(stage, "GET", `/visits/${id}`)).body as Readonly<Record<string, unknown>>;

const cell = (page: Page, day: string) => page.locator(`td[data-day="${day}"]`);

/** A calendar of the visits of one guide, which no other journey sees. */
const calendar = (guide: string, show = "plannedOn") =>
  `/data/visits?filter[guide]=${encodeURIComponent(guide)}&show=calendar:${show}&month=2026-11`;

/** The writes of the page from now on. */
function patches(page: Page): string[] {
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") bodies.push(request.postData() ?? "");
  });
  return bodies;
}

journey("a record is dragged to another day, and the move is undone", async ({ stage, open }) => {
  const as = await stage.person("Drags Visits", "clerk");
  const guide = fresh("Guide");
  const visit = await make(stage, "visits", { name: "Museum", guide, plannedOn: "2026-11-17" });
  const look = await open({ as, at: calendar(guide) });
  const { page } = look;
  const sent = patches(page);
  const link = page.getByRole("link", { name: "Museum" });
  await link.dragTo(cell(page, "2026-11-20"));
  await cell(page, "2026-11-20").getByRole("link", { name: "Museum" }).waitFor();
  await page.getByText(/^Museum is now on Friday/).waitFor();
  expect(sent).toEqual(['{"plannedOn":"2026-11-20"}']);
  expect(await stored(stage, visit.id)).toMatchObject({ plannedOn: "2026-11-20" });
  await look.rest();
  await page.getByRole("button", { name: "Undo" }).click();
  await cell(page, "2026-11-17").getByRole("link", { name: "Museum" }).waitFor();
  await expect.poll(() => stored(stage, visit.id)).toMatchObject({ plannedOn: "2026-11-17" });
});

journey(
  "Alt with arrows moves a record, which is written once, keeps its time and has the focus",
  async ({ stage, open, notByTouch }) => {
    notByTouch("it is about keys");
    const as = await stage.person("Moves Visits", "clerk");
    const guide = fresh("Guide");
    const beginsAt = "2026-11-17T14:30:00.000Z";
    const { id } = await make(stage, "visits", { name: "Castle", guide, beginsAt });
    const look = await open({ as, at: calendar(guide, "beginsAt"), timezoneId: "Europe/Oslo" });
    const { page } = look;
    const sent = patches(page);
    await page.getByRole("link", { name: "Castle" }).focus();
    await page.keyboard.down("Alt");
    for (const key of ["ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await cell(page, "2026-11-26").getByRole("link", { name: "Castle" }).waitFor();
    expect(sent).toEqual([]);
    await page.keyboard.up("Alt");
    await page.getByText(/^Castle is now on /).waitFor();
    expect(sent).toEqual(['{"beginsAt":"2026-11-26T14:30:00.000Z"}']);
    expect(await stored(stage, id)).toMatchObject({ beginsAt: "2026-11-26T14:30:00.000Z" });
    expect(await page.evaluate("document.activeElement.dataset.id")).toBe(id);

    // Escape returns it, and nothing is written.
    await page.keyboard.down("Alt");
    await page.keyboard.press("ArrowUp");
    await cell(page, "2026-11-19").getByRole("link", { name: "Castle" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.up("Alt");
    await cell(page, "2026-11-26").getByRole("link", { name: "Castle" }).waitFor();
    expect(sent).toHaveLength(1);
    await page.keyboard.press("Control+z");
    await cell(page, "2026-11-17").getByRole("link", { name: "Castle" }).waitFor();
    await look.rest();
  },
);

journey(
  "a refused move returns the record to its day, with the reason",
  async ({ stage, open, notByTouch }) => {
    notByTouch("it is about a write that was late");
    const as = await stage.person("Is Late", "clerk");
    const guide = fresh("Guide");
    const { id } = await make(stage, "visits", { name: "Tower", guide, plannedOn: "2026-11-17" });
    const { page } = await open({ as });
    // Without a stream, the calendar does not know of the change.
    await page.route("**/_service/changes?**", (route) => route.fulfill({ status: 403, json: {} }));
    await page.goto(calendar(guide));
    await page.getByRole("link", { name: "Tower" }).waitFor();
    await api(stage, "PATCH", `/visits/${id}`, { name: "Old tower" });
    await page.getByRole("link", { name: "Tower" }).dragTo(cell(page, "2026-11-05"));
    await page.getByText("Tower was not moved. It has been changed elsewhere.").waitFor();
    // It is shown as it is now, and can be moved.
    await cell(page, "2026-11-17").getByRole("link", { name: "Old tower" }).waitFor();
    await page.getByRole("link", { name: "Old tower" }).dragTo(cell(page, "2026-11-05"));
    await page.getByText(/^Old tower is now on /).waitFor();
    expect(await stored(stage, id)).toMatchObject({ plannedOn: "2026-11-05" });
  },
);

journey("a calendar shows what others change while it is open", async ({ stage, open }) => {
  const as = await stage.person("Watches Days");
  const guide = fresh("Guide");
  const plannedOn = "2026-11-17";
  const { id } = await make(stage, "visits", { name: "Harbour", guide, plannedOn });
  const { page } = await open({ as });
  const followed = page.waitForResponse((one) => one.url().includes("/_service/changes?"));
  await page.goto(calendar(guide));
  await followed;
  const links = page.locator("a[data-id]");
  await expect.poll(() => links.allTextContents()).toEqual(["Harbour"]);
  await make(stage, "visits", { name: "Island", guide, plannedOn });
  await make(stage, "visits", { name: "Elsewhere", guide: fresh("Other"), plannedOn });
  await expect.poll(() => links.allTextContents()).toEqual(["Harbour", "Island"]);
  await api(stage, "PATCH", `/visits/${id}`, { plannedOn: "2026-11-25", name: "Old harbour" });
  await expect.poll(() => links.allTextContents()).toEqual(["Island", "Old harbour"]);
  await api(stage, "PATCH", `/visits/${id}`, { plannedOn: "2027-04-01" });
  await expect.poll(() => links.allTextContents()).toEqual(["Island"]);
  // An account that may not write moves nothing.
  await links.first().dragTo(cell(page, "2026-11-20"));
  await expect.poll(() => cell(page, "2026-11-17").locator("a[data-id]").count()).toBe(1);
});

journey("on a phone a record is moved to a day that is chosen", async ({ stage, open }) => {
  const as = await stage.person("Moves by Phone", "clerk");
  const guide = fresh("Guide");
  const beginsAt = "2026-11-17T14:30:00.000Z";
  const { id } = await make(stage, "visits", { name: "Harbour", guide, beginsAt });
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const look = await open({ as, at: calendar(guide, "beginsAt"), ...phone });
  const { page } = look;
  await page.getByRole("button", { name: "Move Harbour" }).tap();
  const dialog = page.getByRole("dialog", { name: "Move Harbour to another day" });
  expect(await dialog.getByLabel("Day").inputValue()).toBe("2026-11-17");
  await look.rest();
  await dialog.getByLabel("Day").fill("");
  await dialog.getByText("Choose a day first").waitFor({ state: "attached" });
  await dialog.getByLabel("Day").fill("2026-11-20");
  await dialog.getByRole("button", { name: "Move", exact: true }).tap();
  await page.getByText(/^Harbour is now on /).waitFor();
  expect(await stored(stage, id)).toMatchObject({ beginsAt: "2026-11-20T14:30:00.000Z" });
  const clerk = await stage.person("Only Reads");
  const other = await open({ as: clerk, at: calendar(guide, "beginsAt"), ...phone });
  await other.page.getByRole("link", { name: /Harbour/ }).waitFor();
  expect(await other.page.getByRole("button", { name: "Move Harbour" }).count()).toBe(0);
});
