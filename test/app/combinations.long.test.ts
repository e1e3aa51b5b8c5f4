import { afterAll, beforeAll, expect, test } from "vitest";
import { bookings } from "../../fixtures/cases/combinations/generated/bookings/table.js";
import { Parameters } from "../../runtime/http/request/parameters.js";
import { readOrder } from "../../runtime/resource/query/order.js";
import { Reach } from "../../runtime/resource/query/reach.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import { type Client, client, type Reply } from "../support/http/client.js";

/** `unique: [[room, day, slot], [day, title], [place, room], [startsAt, seat, shared, afterId]]` */
let app: RunningApp;
let caller: Client;
beforeAll(async () => {
  app = await startApp("cases/combinations");
  caller = client(app.url, app.token);
});
afterAll(() => app.close());

const path = "/bookings";

/** The issues of a 422, as sent. */
function issues(reply: Reply): unknown {
  expectRefusal(reply, 422, ["issues"]);
  return (reply.body as { issues: unknown }).issues;
}

test("a combination that another record holds is 422 with an issue on each of its fields", async () => {
  const values = { room: "Blue", day: "2026-03-01", slot: "evening" };
  await created(caller, "bookings", values);
  const message = "Another record has the same room, day and slot";
  expect(issues(await caller.post(path, values))).toEqual(
    ["room", "day", "slot"].map((field) => ({ path: field, message })),
  );
  await created(caller, "bookings", { ...values, room: "Green" });
  await created(caller, "bookings", { ...values, day: "2026-03-02" });
  await created(caller, "bookings", { ...values, slot: "morning" });
});

test("a default takes part like a value that was sent", async () => {
  const values = { room: "Usual", day: "2026-03-01" };
  await created(caller, "bookings", { ...values, slot: "morning" });
  expect(paths(await caller.post(path, values))).toEqual(["day", "room", "slot"]);
});

test("a combination with an empty value may repeat", async () => {
  for (const room of ["Open", "Open"]) await created(caller, "bookings", { room, title: "Talk" });
  const partly = { room: "Other", startsAt: "2026-03-01T08:00:00Z", seat: 1.5, shared: false };
  const { id } = await created(caller, "bookings", partly);
  await created(caller, "bookings", partly);
  const whole = { ...partly, afterId: id };
  await created(caller, "bookings", whole);
  const fields = ["afterId", "seat", "shared", "startsAt"];
  expect(paths(await caller.post(path, { ...whole, seat: 1.5 }))).toEqual(fields);
  await created(caller, "bookings", { ...whole, shared: true });
});

test("texts that are compared by digest are compared whole", async () => {
  const long = "x".repeat(1999);
  const values = { room: "Long", day: "2026-04-01", title: `${long}a` };
  await created(caller, "bookings", values);
  const again = { ...values, room: "Longer" };
  expect(paths(await caller.post(path, again))).toEqual(["day", "title"]);
  const { id } = await created(caller, "bookings", { ...again, title: `${long}b` });
  const patch = await caller.patch(`${path}/${id}`, { title: values.title });
  expect(paths(patch)).toEqual(["day", "title"]);
  const place = "🏛".repeat(600);
  await created(caller, "bookings", { room: "Hall", place });
  expect(paths(await caller.post(path, { room: "Hall", place }))).toEqual(["place", "room"]);
});

test("one response lists every combination and every other mistake", async () => {
  const values = { room: "Full", day: "2026-05-01", title: "Opera", host: "Ada" };
  await created(caller, "bookings", values);
  const reply = await caller.post(path, { ...values, seat: "one", colour: "red" });
  expect(issues(reply)).toEqual([
    { path: "colour", message: "Unknown field" },
    { path: "seat", message: "Must be a number" },
    { path: "host", message: "Another record has this value" },
    ...["room", "day", "slot"].map((field) => ({
      path: field,
      message: "Another record has the same room, day and slot",
    })),
    { path: "day", message: "Another record has the same day and title" },
    { path: "title", message: "Another record has the same day and title" },
  ]);
});

test("a malformed value belongs to no combination, even if the stored value would", async () => {
  const values = { room: "Odd", day: "2026-06-01" };
  await created(caller, "bookings", values);
  expect(paths(await caller.post(path, { ...values, day: "soon" }))).toEqual(["day"]);
  const { id } = await created(caller, "bookings", { ...values, room: "Even" });
  const body = { room: "Odd", day: "soon" };
  expect(paths(await caller.patch(`${path}/${id}`, body))).toEqual(["day"]);
  expect(paths(await caller.put(`${path}/${id}`, { ...body, slot: "morning" }))).toEqual(["day"]);
});

test("a PATCH of one field is checked with the stored values of the others", async () => {
  const values = { room: "Red", day: "2026-07-01", slot: "morning" };
  await created(caller, "bookings", values);
  const { id } = await created(caller, "bookings", { ...values, slot: "evening" });
  const own = `${path}/${id}`;
  const all = ["day", "room", "slot"];
  expect(paths(await caller.patch(own, { slot: "morning" }))).toEqual(all);
  expect(paths(await caller.patch(own, { slot: "morning", seat: "one" }))).toEqual([
    ...all.slice(0, 2),
    "seat",
    "slot",
  ]);
  expect((await caller.get(own)).body.slot).toBe("evening");
  expect((await caller.patch(own, { slot: "morning", day: "2026-07-02" })).status).toBe(200);
  expect((await caller.patch(own, { day: null })).body.day).toBeNull();
  expect((await caller.patch(own, { slot: "evening" })).status).toBe(200);
  expect((await caller.patch(own, { slot: "morning" })).status).toBe(200);
  expect(paths(await caller.patch(own, { day: "2026-07-01" }))).toEqual(all);
});

test("a PUT is checked against other records and not against its own", async () => {
  const values = { room: "Gold", day: "2026-08-01", slot: "morning" };
  await created(caller, "bookings", values);
  const { id } = await created(caller, "bookings", { ...values, slot: "evening" });
  const own = `${path}/${id}`;
  expect(paths(await caller.put(own, values))).toEqual(["day", "room", "slot"]);
  expect((await caller.put(own, { ...values, slot: "evening", seat: 2 })).status).toBe(200);
  expect((await caller.put(own, { room: "Gold", slot: "morning" })).status).toBe(200);
});

test("when many requests race for a combination, one wins and the others are refused", async () => {
  const values = { room: "Race", day: "2026-09-01" };
  await app.db.query("delete from bookings where day = $1", [values.day]);
  const replies = await Promise.all(Array.from({ length: 24 }, () => caller.post(path, values)));
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409 || status === 422)).toHaveLength(23);
});

/** Holds an uncommitted booking while the request runs, then commits it. */
async function racing(room: string, request: () => Promise<Reply>): Promise<Reply> {
  const held = `insert into bookings (id, room, day, slot)
    values (gen_random_uuid(), $1, '2026-10-01', 'morning')`;
  const { reply } = await app.db.transaction(async (db) => {
    await db.query(held, [room]);
    const asked = request();
    await expect.poll(() => app.db.query(lockWaiters), { interval: 20 }).not.toEqual([]);
    return { reply: asked };
  });
  return reply;
}

test("a combination taken while a write waits is 409 with its first field", async () => {
  const day = "2026-10-01";
  await app.db.query("delete from bookings where day = $1", [day]);
  const { id } = await created(caller, "bookings", { room: "Waiting", day, slot: "evening" });
  const replies = [
    await racing("One", () => caller.post(path, { room: "One", day })),
    await racing("Two", () => caller.patch(`${path}/${id}`, { room: "Two", slot: "morning" })),
    await racing("Waiting", () => caller.patch(`${path}/${id}`, { slot: "morning" })),
    await racing("Four", () => caller.put(`${path}/${id}`, { room: "Four", day, slot: "morning" })),
  ];
  for (const reply of replies) {
    expectRefusal(reply, 409, ["field"]);
    expect(reply.body).toMatchObject({ field: "room" });
  }
});

test.each([
  ["-day", "bookings__day__index_d"],
  ["seat", "bookings__seat__starts_at__index_ad"],
])("sort=%s is served by the descriptor's index", async (sort, index) => {
  await app.db.query(`
    insert into bookings (id, room, day, slot, seat)
    select gen_random_uuid(), 'Filler ' || gen_random_uuid(), '2100-01-01'::date + n, 'morning', n
    from generate_series(1, 3000) as n`);
  await app.db.query("analyze bookings");
  const { forward } = readOrder(bookings, [sort], {
    issues: new Parameters(""),
    reach: new Reach(null),
  });
  const listed = `select * from bookings order by ${forward} limit 3`;
  const plan = await app.db.query<Record<string, string>>(`explain (costs off) ${listed}`);
  expect(plan.flatMap((line) => Object.values(line)).join("\n")).toContain(`using ${index} `);
});
