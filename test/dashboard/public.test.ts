import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Made, make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, type Person, type Stage, sharedStage } from "./support/stage.js";

const resources = join(import.meta.dirname, "../../fixtures/apps/events/resources");

const journey = journeyOn(() =>
  sharedStage("events with operators", () =>
    openWrittenStage({
      descriptors: new Map(
        readdirSync(resources).map((name) => [name, readFileSync(join(resources, name), "utf8")]),
      ),
      settings:
        "app: { name: Events }\nauth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n",
    }),
  ),
);

async function scene(stage: Stage): Promise<{ as: Person; venue: Made; event: Made }> {
  const as = await stage.person("Ada Admin", "admin");
  const venue = await make(stage, "venues", { name: `Hall of ${as.email}`, city: "Oslo" });
  const event = await make(stage, "events", {
    title: "Concert",
    startsOn: "2027-01-01",
    venueId: venue.id,
    organiserId: as.id,
  });
  return { as, venue, event };
}

journey("a public resource is marked, with its rules in words", async ({ stage, open }) => {
  const { as } = await scene(stage);
  const { page } = await open({ as, at: "/data/events" });
  await page.getByRole("button", { name: "Public", exact: true }).click();
  const rules = page.locator(".rule-list");
  await rules.getByText("the owner; admin", { exact: true }).waitFor();
  const words = await rules.getByRole("definition").allInnerTexts();
  expect(words).toEqual([
    "anyone, if Status is live and Published at is not after now; the owner; admin",
    "anyone, if Status is live and Published at is not after now; the owner; admin",
    "every account, if Status is live and Published at is not after now; the owner; admin",
    "the owner; admin",
    "the owner, if Status is not closed, and Status is draft or live afterwards; admin",
    "the owner, if Status is draft; admin",
  ]);
  await page.keyboard.press("Escape");
  await page.goto("/data/orders");
  await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  expect(await page.getByRole("button", { name: "Public", exact: true }).count()).toBe(0);
});

journey("a record shows who sees it, and which of its fields", async ({ stage, open }) => {
  const { as, venue, event } = await scene(stage);
  const { page } = await open({ as, at: `/data/events/${event.id}` });
  await page
    .getByText("Anyone can see this if Status is live and Published at is not after now")
    .waitFor();
  const mark = (label: string) =>
    page.locator(".marked", { hasText: new RegExp(`^${label}`) }).getByTitle("Anyone can see this");
  for (const label of ["Title", "Status", "Venue"]) expect(await mark(label).count()).toBe(1);
  for (const label of ["Organiser", "Remarks"]) expect(await mark(label).count()).toBe(0);
  await page.goto(`/data/venues/${venue.id}`);
  await page.getByText("Anyone can see this", { exact: true }).first().waitFor();
  await page.goto("/data/messages");
  await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
});

journey("operators see the rights of callers without a token", async ({ stage, open }) => {
  const { as } = await scene(stage);
  const { page } = await open({ as, at: "/accounts/rights?role=public" });
  const cells = (resource: string) =>
    page.getByRole("row", { name: resource }).getByRole("cell").allInnerTexts();
  await page.getByRole("row", { name: "Events" }).waitFor();
  const rights = async (resource: string) =>
    (await cells(resource)).map((text) => text.trim().replace(/^–\s*/, ""));
  expect(await rights("Events")).toEqual([
    ...["some", "some", "no", "no", "no", "no"],
    "Organiser is hidden and Remarks is hidden",
  ]);
  expect((await rights("Messages")).slice(0, 6)).toEqual(["no", "no", "no", "yes", "no", "no"]);
  await page.getByRole("button", { name: "Reviews" }).click();
  await page
    .getByText("anyone, if State is approved and Event: Status is live", { exact: true })
    .waitFor();
});
