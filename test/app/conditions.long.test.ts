import type { App } from "service-runtime/app";
import type { Caller, ResourceClient } from "service-runtime/own-code";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../fixtures/apps/events/generated/client.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { startWrittenApp } from "../support/apps/written-app.js";

const past = "2026-01-01T00:00:00.000Z";
const statuses = ["live", "draft", "closed"] as const;

type Row = Record<string, unknown>;
type Clients = Readonly<Record<"events" | "orders", ResourceClient<Row, Row>>>;
/** As the app's own code has them; importing its types would bring in those of its routes. */
type Resources = Clients & { as(caller: Caller | null): Clients };

let app: RunningApp;
let own: App<Resources>;
let visitor: Client;
let admin: Client;
let ada: Client;
let bob: Client;
let adaId: string;
let hall: string;

/** Thirty events of each of two organisers: ten in each state. */
beforeAll(async () => {
  app = await startApp("apps/events", {}, (made) => {
    own = made as unknown as App<Resources>;
  });
  const as = (token: string) => createClient({ url: `${app.url}/api`, token });
  visitor = createClient({ url: `${app.url}/api` });
  admin = as(app.token);
  ada = as(await app.signIn(null));
  bob = as(await app.signIn(null));
  adaId = (await ada.auth.me()).user.id;
  const bobId = (await bob.auth.me()).user.id;
  hall = (await admin.venues.create({ name: "Hall", city: "Oslo" })).id;
  await app.db.query(
    `insert into events (id, title, status, published_at, starts_on, venue_id, organiser_id)
     select gen_random_uuid(), status || ' ' || n, status, $1, '2027-01-01', $2, organiser
     from generate_series(1, 10) as n, unnest($3::text[]) as status, unnest($4::uuid[]) as organiser`,
    [past, hall, [...statuses], [adaId, bobId]],
  );
});
afterAll(() => app?.close());

async function idOf(status: (typeof statuses)[number], organiserId: string): Promise<string> {
  const { data } = await admin.events.list({ where: { status, organiserId }, perPage: 1 });
  return data[0]?.id ?? expect.unreachable();
}

describe("every reader counts and sees exactly the records of the rule", () => {
  test.each([
    ["a visitor", () => visitor, 20],
    ["an owner", () => ada, 40],
    ["an admin", () => admin, 60],
  ] as const)("%s", async (_, client, total) => {
    const api = client();
    expect((await api.events.list()).meta.total).toBe(total);
    expect((await api.events.list({ where: { not: { status: "live" } } })).meta.total).toBe(
      total - 20,
    );
    let walked = 0;
    for await (const _event of api.events.all({ sort: ["title"] })) walked += 1;
    expect(walked).toBe(total);
    const venue = await api.venues.get(hall, {
      include: { events: { count: true, perPage: 5, sort: ["-title"] } },
    });
    expect(venue.events).toMatchObject({ count: total, more: true });
    const reached = await api.venues.list({ where: { events: { some: { status: "draft" } } } });
    expect(reached.meta.total).toBe(total > 20 ? 1 : 0);
  });

  test("groups and statistics of signed-in callers", async () => {
    const groups = await ada.events.aggregate({ by: ["status"] });
    expect(groups.data.map(({ by, count }) => [by.status, count])).toEqual([
      ["draft", 10],
      ["live", 20],
      ["closed", 10],
    ]);
    expect(await ada.events.stats({ field: "status" })).toMatchObject({
      total: 40,
      values: { draft: 10, live: 20, closed: 10 },
    });
  });

  test("values behind links are empty if the record is hidden", async () => {
    const hidden = await idOf("draft", adaId);
    await admin.reviews.create({ eventId: hidden, text: "x" });
    const groups = await bob.reviews.aggregate({ by: ["event.status"] });
    expect(groups.data).toEqual([{ by: { "event.status": null }, count: 1 }]);
  });
});

describe("every writer obeys the rule", () => {
  test("batches, atomic or not", async () => {
    const draft = await idOf("draft", adaId);
    const closed = await idOf("closed", adaId);
    const refused = ada.batch((batch) => {
      batch.events.update(draft, { title: "Changed" });
      batch.events.update(closed, { title: "Changed" });
    });
    await expect(refused).rejects.toMatchObject({ status: 403 });
    expect((await ada.events.get(draft)).title).not.toBe("Changed");
    const judged = ada.batch((batch) => {
      batch.events.update(draft, { title: "Changed" });
      batch.events.update(draft, { status: "closed" });
    });
    await expect(judged).rejects.toMatchObject({ status: 403 });
    expect((await ada.events.get(draft)).title).not.toBe("Changed");
    await ada.batch((batch) => batch.events.update(draft, { title: "Changed" }));
    expect((await ada.events.get(draft)).title).toBe("Changed");
  });

  test("app.resources on behalf of callers, null among them", async () => {
    const draft = await idOf("draft", adaId);
    const visitors = own.resources.as(null);
    expect(await visitors.events.get(draft)).toBeNull();
    expect((await visitors.events.list()).meta).toMatchObject({ total: 20 });
    await expect(visitors.orders.list()).rejects.toMatchObject({ status: 401 });
    const callers = own.resources.as({ accountId: adaId, role: null, sessionId: null });
    await expect(callers.events.update(draft, { status: "closed" })).rejects.toMatchObject({
      status: 403,
    });
    expect(await own.resources.events.update(draft, { status: "closed" })).toMatchObject({
      status: "closed",
    });
    await own.resources.events.update(draft, { status: "draft" });
  });

  test("a stored link may stay although its record is now hidden", async () => {
    const live = await idOf("live", adaId);
    const order = await bob.orders.create({ eventId: live, email: "b@example.com", places: 1 });
    await admin.events.update(live, { status: "closed" });
    const asBob = own.resources.as({
      accountId: (await bob.auth.me()).user.id,
      role: "admin",
      sessionId: null,
    });
    expect(await asBob.orders.update(order.id, { eventId: live })).toMatchObject({ places: 1 });
    await expect(
      bob.orders.create({ eventId: live, email: "b@example.com", places: 1 }),
    ).rejects.toMatchObject({ status: 422 });
    await admin.events.update(live, { status: "live" });
  });

  test("no concurrent update bypasses the rule with a value that another has changed", async () => {
    const draft = await idOf("draft", adaId);
    const results = await Promise.allSettled([
      admin.events.update(draft, { status: "closed" }),
      ...Array.from({ length: 8 }, () => ada.events.update(draft, { status: "draft" })),
    ]);
    expect(results[0]?.status).toBe("fulfilled");
    expect(await admin.events.get(draft)).toMatchObject({ status: "closed" });
    await admin.events.update(draft, { status: "draft" });
  });

  test("the rule is checked before a changed record's tag", async () => {
    const closed = await idOf("closed", adaId);
    const ifMatch = '"none"';
    await expect(ada.events.update(closed, { title: "x" }, { ifMatch })).rejects.toMatchObject({
      status: 403,
    });
    const draft = await idOf("draft", adaId);
    await expect(bob.events.update(draft, { title: "x" }, { ifMatch })).rejects.toMatchObject({
      status: 404,
    });
  });
});

test("a list by one value takes its total from the stored counts", async () => {
  const descriptor = `
access: { read: { who: public, where: { state: live } } }
fields:
  title: { type: string, required: true }
  state: { type: enum, values: [draft, live], required: true, default: draft }
`;
  const written = await startWrittenApp({ descriptors: new Map([["posts.yaml", descriptor]]) });
  try {
    await written.db.query(
      "insert into posts (id, title, state) select gen_random_uuid(), n::text, (array['draft', 'live'])[1 + n % 2] from generate_series(1, 10) as n",
    );
    const total = async () => {
      const answer = await fetch(`${written.url}/api/posts?perPage=2`);
      const { data, meta } = (await answer.json()) as {
        data: { state: string }[];
        meta: { total: number };
      };
      expect(data.map(({ state }) => state)).toEqual(["live", "live"]);
      return meta.total;
    };
    expect(await total()).toBe(5);
    // A wrong number shows where the total comes from.
    await written.db.query(
      "update service.posts__tally set state__live = state__live + 1000 where slot = (select min(slot) from service.posts__tally)",
    );
    expect(await total()).toBe(1005);
  } finally {
    await written.close();
  }
});
