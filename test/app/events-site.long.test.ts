import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Client,
  createClient,
  isApiError,
} from "../../fixtures/apps/events/generated/client.js";
import { liveList } from "../../fixtures/apps/events/generated/live.js";
import { type RunningApp, startApp } from "../support/apps/app.js";

// A site of events by its generated client alone: what visitors, guests and organisers do, one after the other.

const past = "2026-01-01T00:00:00.000Z";

let app: RunningApp;
let visitor: Client;
let organiser: Client;
let customer: Client;
let staff: Client;

beforeAll(async () => {
  app = await startApp("apps/events", {
    guards: { messages: { create: async ({ headers }) => headers["x-captcha"] === "solved" } },
  });
  const as = (token: string) => createClient({ url: `${app.url}/api`, token });
  visitor = createClient({ url: `${app.url}/api` });
  organiser = as(await app.signIn(null));
  customer = as(await app.signIn(null));
  staff = as(app.token);
});
afterAll(() => app?.close());

const statusOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 200,
    (error: unknown) => (isApiError(error) ? error.status : error),
  );

async function published(title: string) {
  const { id: venueId } = await staff.venues.create({ name: `Hall of ${title}`, city: "Oslo" });
  const event = await organiser.events.create({ title, startsOn: "2027-01-01", venueId });
  return organiser.events.update(event.id, { status: "live", publishedAt: past });
}

test("an organiser's draft is theirs alone, until it is published", async () => {
  const draft = await organiser.events.create({ title: "Opera", startsOn: "2027-05-01" });
  expect((await organiser.events.list({ where: { status: "draft" } })).meta.total).toBe(1);
  for (const other of [visitor, customer]) {
    expect(await statusOf(other.events.get(draft.id))).toBe(404);
    expect((await other.events.list({ where: { title: "Opera" } })).meta.total).toBe(0);
  }
  expect(await statusOf(visitor.events.update(draft.id, { status: "live" }))).toBe(401);
  await organiser.events.update(draft.id, { status: "live", publishedAt: past });
  expect(await visitor.events.get(draft.id)).toMatchObject({ title: "Opera", status: "live" });
});

test("visitors list, search and open events with their venues", async () => {
  const { id } = await published("Jazz night");
  await published("Chess");
  const { data } = await visitor.events.list({
    where: { venue: { city: "Oslo" } },
    sort: ["title"],
    include: { venue: { fields: ["name"] } },
  });
  expect(data.map(({ title, venue }) => [title, venue?.name])).toEqual([
    ["Chess", "Hall of Chess"],
    ["Jazz night", "Hall of Jazz night"],
  ]);
  expect((await visitor.events.list({ q: "jazz" })).data.map((one) => one.id)).toEqual([id]);
  const event = await visitor.events.get(id, { include: { venue: true } });
  expect(event.venue).toMatchObject({ name: "Hall of Jazz night" });
  expect(event).not.toHaveProperty("organiserId");
  const titles: string[] = [];
  for await (const { title } of visitor.events.all({ sort: ["title"], perPage: 1 })) {
    titles.push(title);
  }
  expect(titles).toEqual(expect.arrayContaining(["Chess", "Jazz night"]));
});

test("a visitor's list is live: events appear when published and disappear when closed", async () => {
  let shown: readonly string[] | null = null;
  const stop = liveList(
    visitor.events,
    { where: { startsOn: { gte: "2030-01-01" } }, sort: ["title"] },
    ({ data }) => {
      shown = data.map(({ title }) => title);
    },
  );
  await expect.poll(() => shown).toEqual([]);
  const { id } = await organiser.events.create({ title: "Later", startsOn: "2030-01-01" });
  await organiser.events.update(id, { status: "live", publishedAt: past });
  await expect.poll(() => shown).toEqual(["Later"]);
  await organiser.events.update(id, { title: "Much later" });
  await expect.poll(() => shown).toEqual(["Much later"]);
  await staff.events.update(id, { status: "closed" });
  await expect.poll(() => shown).toEqual([]);
  stop();
});

test("a guest orders places without an account, and an account orders its own", async () => {
  const { id: eventId } = await published("Concert");
  const order = { eventId, email: "guest@example.com", places: 2 };
  const { id } = await visitor.orders.create(order, { idempotencyKey: crypto.randomUUID() });
  expect(await staff.orders.get(id)).toMatchObject({ ...order, customerId: null });
  expect(await statusOf(visitor.orders.get(id))).toBe(401);
  const { user } = await customer.auth.me();
  const own = await customer.orders.create({ ...order, email: "me@example.com" });
  expect(own.customerId).toBe(user.id);
  expect((await customer.orders.list()).data.map((one) => one.id)).toEqual([own.id]);
  expect(await statusOf(visitor.orders.create({ ...order, customerId: user.id }))).toBe(422);
  expect(await statusOf(visitor.orders.create({ ...order, places: 11 }))).toBe(422);
});

test("a contact form reaches the staff alone", async () => {
  const message = { email: "a@example.com", text: "When does it begin?" };
  const { id } = await visitor.messages.create(message, { headers: { "x-captcha": "solved" } });
  expect(await staff.messages.get(id)).toMatchObject({ ...message, answered: false });
  expect(await statusOf(visitor.messages.create(message))).toBe(403);
  expect(await statusOf(visitor.messages.list())).toBe(401);
  expect(await statusOf(customer.messages.get(id))).toBe(403);
});
