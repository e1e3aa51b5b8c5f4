import { refusal } from "service-runtime/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../fixtures/apps/events/generated/client.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { client } from "../support/http/client.js";
import { judgedAnswers } from "../support/openapi/answers.js";

const past = "2026-01-01T00:00:00.000Z";
const future = "2999-01-01T00:00:00.000Z";

let app: RunningApp;
let visitor: Client;
let organiser: Client;
let other: Client;
let admin: Client;
let editor: Client;
let hall: string;
/** Of the organiser. */
let live: string;
let draft: string;
let later: string;
let closed: string;

beforeAll(async () => {
  app = await startApp("apps/events");
  const as = (token: string) => createClient({ url: `${app.url}/api`, token });
  visitor = createClient({ url: `${app.url}/api` });
  organiser = as(await app.signIn(null));
  other = as(await app.signIn(null));
  editor = as(await app.signIn("editor"));
  admin = as(app.token);
  hall = (await admin.venues.create({ name: "Hall", city: "Oslo", phone: "22 00 00 00" })).id;
  const event = async (title: string, values: object) =>
    (await organiser.events.create({ title, startsOn: "2027-01-01", venueId: hall, ...values })).id;
  live = await event("Live", { status: "live", publishedAt: past });
  draft = await event("Draft", {});
  later = await event("Later", { status: "live", publishedAt: future });
  closed = await event("Closed", { publishedAt: past });
  await admin.events.update(closed, { status: "closed" });
});
afterAll(() => app?.close());

function refused(status: number, more: object = {}) {
  return expect.objectContaining({ status, ...more });
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${app.url}/api${path}`, init);
}

function post(path: string, body: object, headers: Record<string, string> = {}) {
  const type = { "content-type": "application/json" };
  return ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...type, ...headers },
  });
}

describe("a caller without a token", () => {
  test("lists and gets the records that match the condition, with an exact total", async () => {
    const { data, meta } = await visitor.events.list();
    expect(data.map(({ title }) => title)).toEqual(["Live"]);
    expect(meta.total).toBe(1);
    expect(await visitor.events.get(live)).toMatchObject({ title: "Live" });
    for (const id of [draft, later, closed]) {
      await expect(visitor.events.get(id)).rejects.toEqual(refused(404));
    }
  });

  test("gets neither fields of other roles nor those of signed-in callers", async () => {
    expect(Object.keys(await visitor.events.get(live))).not.toContain("organiserId");
    expect(Object.keys(await visitor.venues.get(hall))).not.toContain("phone");
    expect(await other.venues.get(hall)).toMatchObject({ phone: "22 00 00 00" });
    for (const query of ["filter[remarks]=x", "sort=organiserId", "fields=remarks"]) {
      expect((await ask(`/events?${query}`)).status).toBe(400);
    }
  });

  test("searches, filters and queries records that it may see", async () => {
    expect((await visitor.events.list({ q: "live" })).meta.total).toBe(1);
    expect((await visitor.events.list({ where: { status: "draft" } })).meta.total).toBe(0);
    expect((await visitor.events.query({ where: { title: "Live" } })).data).toHaveLength(1);
  });

  test("includes only public records and fields", async () => {
    const { data } = await visitor.events.list({ include: { venue: true } });
    expect(data[0]?.venue).toMatchObject({ name: "Hall" });
    expect(data[0]?.venue).not.toHaveProperty("phone");
    const venue = await visitor.venues.get(hall, { include: { events: true } });
    expect(venue.events.data.map(({ title }) => title)).toEqual(["Live"]);
    const accounts = await ask("/events?include=organiser");
    expect(accounts.status).toBe(400);
  });

  test("gets 401 if an action is not public, or if its token is invalid", async () => {
    for (const path of ["/orders", "/messages", "/events/_stats", "/_service/resources"]) {
      expect((await ask(path)).status).toBe(401);
    }
    expect((await post("/events", {})).status).toBe(401);
    const wrong = { headers: { authorization: "Bearer none" } };
    for (const path of ["/events", `/events/${live}`, "/venues"]) {
      const answer = await ask(path, wrong);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
  });
});

describe("a record that a caller without a token creates", () => {
  test("is returned as its id alone if such a caller may not get it", async () => {
    const answer = await post("/messages", { email: "a@example.com", text: "Hello" });
    expect(answer.status).toBe(201);
    const body = (await answer.json()) as { id: string };
    expect(Object.keys(body)).toEqual(["id"]);
    expect([answer.headers.get("location"), answer.headers.get("etag")]).toEqual([null, null]);
    expect(await admin.messages.get(body.id)).toMatchObject({ text: "Hello", answered: false });
  });

  test("has none of the fields that such a caller may not write", async () => {
    const answer = await post("/messages", { email: "a@example.com", text: "x", answered: true });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ issues: [{ path: "answered" }] });
  });

  test("links only to public records", async () => {
    const order = { email: "guest@example.com", places: 2 };
    expect((await post("/orders", { ...order, eventId: live })).status).toBe(201);
    const hidden = await post("/orders", { ...order, eventId: draft });
    expect(hidden.status).toBe(422);
    expect(await hidden.json()).toMatchObject({ issues: [{ path: "eventId" }] });
  });

  test("has no owner", async () => {
    const me = await other.auth.me();
    const values = { email: "guest@example.com", places: 1, eventId: live };
    expect((await post("/orders", { ...values, customerId: me.user.id })).status).toBe(422);
    const { id } = (await (await post("/orders", values)).json()) as { id: string };
    expect(await admin.orders.get(id)).toMatchObject({ customerId: null });
    await expect(other.orders.get(id)).rejects.toEqual(refused(404));
  });

  test("fulfils the check of its rule, or is not stored", async () => {
    const review = { eventId: live, text: "Good" };
    const before = (await admin.reviews.stats()).total;
    expect((await post("/reviews", { ...review, state: "approved" })).status).toBe(403);
    expect((await admin.reviews.stats()).total).toBe(before);
    expect((await post("/reviews", review)).status).toBe(201);
  });

  test("is written once for a key of at least 20 characters", async () => {
    const message = { email: "a@example.com", text: "Once" };
    const key = { "idempotency-key": "a-key-of-the-contact-form" };
    const first = await (await post("/messages", message, key)).json();
    const again = await post("/messages", message, key);
    expect(await again.json()).toEqual(first);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await post("/messages", message, { "idempotency-key": "short" })).status).toBe(400);
  });
});

test("openapi.json describes the answers to callers without a token", async () => {
  const asked = client(app.url, null);
  const before = judgedAnswers(app.url);
  const message = { email: "a@example.com", text: "Hello" };
  expect((await asked.post("/messages", message)).status).toBe(201);
  expect((await asked.post("/messages", { text: "x" })).status).toBe(422);
  const review = await asked.post("/reviews", { eventId: live, text: "Described" });
  expect([review.status, review.body]).toMatchObject([201, { text: "Described" }]);
  const { headers } = await asked.list("/events");
  const known = { headers: { "if-none-match": `${headers.etag}` } };
  expect((await asked.send("GET", "/events", known)).status).toBe(304);
  for (const path of ["/orders", `/events/${draft}`, "/events/_stats"]) await asked.get(path);
  expect(judgedAnswers(app.url)).toBe(before + 8);
});

describe("owners with conditions", () => {
  test("see their own drafts beside public records, once each", async () => {
    const { data, meta } = await organiser.events.list();
    expect(data.map(({ title }) => title).sort()).toEqual(["Closed", "Draft", "Later", "Live"]);
    expect(meta.total).toBe(4);
    expect((await other.events.list()).data.map(({ title }) => title)).toEqual(["Live"]);
    expect((await organiser.events.stats()).total).toBe(4);
    expect((await other.events.stats()).total).toBe(1);
  });

  test("get 403 for a record that they may get and not write, and 404 for any other", async () => {
    await expect(organiser.events.update(closed, { title: "x" })).rejects.toEqual(refused(403));
    await expect(organiser.events.delete(live)).rejects.toEqual(refused(403));
    await expect(other.events.update(live, { title: "x" })).rejects.toEqual(refused(403));
    await expect(other.events.update(draft, { title: "x" })).rejects.toEqual(refused(404));
    await expect(other.events.delete(draft)).rejects.toEqual(refused(404));
  });

  test("write only what the check allows", async () => {
    const changed = await organiser.events.update(draft, { title: "Draft 2" });
    expect(changed.title).toBe("Draft 2");
    await expect(organiser.events.update(draft, { title: "x", status: "closed" })).rejects.toEqual(
      refused(403),
    );
    expect(await admin.events.get(draft)).toMatchObject({ title: "Draft 2", status: "draft" });
    const { user } = await other.auth.me();
    await expect(organiser.events.update(draft, { organiserId: user.id })).rejects.toEqual(
      refused(422),
    );
  });

  test("get back what they wrote, even if it is now hidden from them", async () => {
    const { id } = await admin.reviews.create({ eventId: live, text: "Wait" });
    const approved = await editor.reviews.update(id, { state: "refused" });
    expect(approved).toMatchObject({ state: "refused" });
    await expect(editor.reviews.update(id, { text: "x" })).rejects.toEqual(refused(404));
  });
});

test("conditions read linked records, even those that the caller may not read", async () => {
  const make = async (eventId: string, text: string) => {
    const { id } = await admin.reviews.create({ eventId, text });
    return (await admin.reviews.update(id, { state: "approved" })).id;
  };
  const shown = await make(live, "Shown");
  const hidden = await make(draft, "Hidden");
  const texts = (await visitor.reviews.list()).data.map(({ text }) => text);
  expect(texts).toContain("Shown");
  expect(texts).not.toContain("Hidden");
  // The rule of `get` goes by the review alone.
  expect(await visitor.reviews.get(hidden)).toMatchObject({ text: "Hidden" });
  expect(await visitor.reviews.get(shown)).toMatchObject({ text: "Shown" });
});

test("`can` shows when a condition decides", async () => {
  const { data } = await other.service.resources();
  const can = data.find(({ name }) => name === "events")?.can;
  expect(can).toMatchObject({ list: "some", get: "some", update: "some", delete: "some" });
  expect(can).toMatchObject({ create: "own" });
});

describe("caches", () => {
  test("keep public responses for as long as the descriptor says, and nothing else", async () => {
    const list = await ask("/events");
    expect(list.headers.get("cache-control")).toBe("public, max-age=0, s-maxage=60");
    expect(list.headers.get("vary")).toBe("Authorization");
    const mine = await ask("/events", { headers: { authorization: `Bearer ${app.token}` } });
    expect(mine.headers.get("cache-control")).toBe("private, no-cache");
    expect(mine.headers.get("vary")).toBe("Origin, Authorization");
    expect((await ask("/reviews")).headers.get("cache-control")).toBe("no-cache");
    for (const path of [`/events/${draft}`, "/events?colour=red", "/orders"]) {
      expect((await ask(path)).headers.get("cache-control")).toBe("no-store");
    }
  });

  test("revalidate by the weak tag of a list", async () => {
    const list = await ask("/events");
    const etag = list.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const again = await ask("/events", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(again.headers.get("cache-control")).toBe("public, max-age=0, s-maxage=60");
    const signed = { "if-none-match": etag, authorization: `Bearer ${app.token}` };
    expect((await ask("/events", { headers: signed })).status).toBe(200);
  });

  test("serve public responses to pages of every origin", async () => {
    const origin = "https://events.example.com";
    const open = await ask("/events", { headers: { origin } });
    expect(open.headers.get("access-control-allow-origin")).toBe("*");
    expect(open.headers.get("vary")).toBe("Authorization");
  });
});

describe("a policy of `get`", () => {
  let judged: RunningApp;
  let staff: Client;
  let author: Client;
  let event: string;

  beforeAll(async () => {
    judged = await startApp("apps/events", {
      policies: {
        reviews: { get: (_caller, review) => (review as { text: string }).text === "Shown" },
        events: { get: (caller) => caller?.role === "admin" },
      },
    });
    staff = createClient({ url: `${judged.url}/api`, token: judged.token });
    author = createClient({ url: `${judged.url}/api`, token: await judged.signIn(null) });
    const values = { title: "Live", startsOn: "2027-01-01", publishedAt: past } as const;
    event = (await author.events.create(values)).id;
    await staff.events.update(event, { status: "live" });
  });
  afterAll(() => judged?.close());

  const review = (text: string, headers: Record<string, string> = {}) =>
    fetch(`${judged.url}/api/reviews`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ eventId: event, text }),
    });

  test("decides whether a create without a token returns the record", async () => {
    const shown = await review("Shown");
    expect(await shown.json()).toMatchObject({ text: "Shown", state: "waiting" });
    expect(shown.headers.get("location")).toMatch(/^\/api\/reviews\//);
    const key = { "idempotency-key": "a-key-of-a-hidden-review" };
    for (const headers of [{}, key, key]) {
      const hidden = await review("Hidden", headers);
      expect(hidden.status).toBe(201);
      const body = (await hidden.json()) as { id: string };
      expect(Object.keys(body)).toEqual(["id"]);
      expect([hidden.headers.get("location"), hidden.headers.get("etag")]).toEqual([null, null]);
      const got = await fetch(`${judged.url}/api/reviews/${body.id}`);
      expect(got.status).toBe(403);
    }
    expect((await staff.reviews.stats()).total).toBe(3);
  });

  test("makes a record that a condition hides from its caller 404, and not 403", async () => {
    await expect(author.events.delete(event)).rejects.toEqual(refused(404));
    const token = await judged.signIn(null);
    const stranger = createClient({ url: `${judged.url}/api`, token });
    await expect(stranger.events.update(event, { title: "x" })).rejects.toEqual(refused(404));
  });
});

describe("a guard", () => {
  let guarded: RunningApp;
  const judged: unknown[] = [];

  beforeAll(async () => {
    guarded = await startApp("apps/events", {
      guards: {
        messages: {
          create: async ({ values, address, headers }) => {
            judged.push({ values, address });
            if (headers["x-captcha"] === "tired") throw refusal(409, "Come back later");
            return headers["x-captcha"] === "right";
          },
        },
      },
    });
  });
  afterAll(() => guarded?.close());

  const message = { email: "a@example.com", text: "Hello" };

  function send(headers: Record<string, string>, body: object = message, token?: string) {
    return fetch(`${guarded.url}/api/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  }

  test("decides about well-formed requests, before anything is written", async () => {
    expect((await send({})).status).toBe(403);
    expect((await send({ "x-captcha": "right" })).status).toBe(201);
    expect(await (await send({ "x-captcha": "tired" })).json()).toEqual({
      error: "Come back later",
    });
    expect((await send({ "x-captcha": "right" }, { text: "x" })).status).toBe(422);
    expect(judged).toEqual(
      Array.from({ length: 3 }, () => ({
        values: { ...message, answered: false },
        address: "127.0.0.1",
      })),
    );
  });

  test("gets the headers that the client sends with a create", async () => {
    const form = createClient({ url: `${guarded.url}/api` });
    const create = (captcha: string) =>
      form.messages.create(message, { headers: { "x-captcha": captcha }, timeout: 9000 });
    await expect(create("wrong")).rejects.toEqual(refused(403));
    expect(await create("right")).toEqual({ id: expect.any(String) });
  });

  test("gets other headers from pages of allowed origins, and of no others", async () => {
    const preflight = (url: string, origin: string) =>
      fetch(`${url}/api/messages`, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type, X-Captcha,bad name,x-two",
        },
      });
    const listed =
      "Authorization,Content-Type,If-Match,If-None-Match,Idempotency-Key,X-Request-Id,traceparent,Last-Event-ID";
    const allowed = async (url: string, origin = "https://events.example.com") =>
      (await preflight(url, origin)).headers.get("access-control-allow-headers");
    expect(await allowed(guarded.url)).toBe(`${listed},X-Captcha,x-two`);
    expect(await allowed(app.url)).toBe(listed);
    const other = await preflight(guarded.url, "https://evil.example.com");
    expect(other.headers.get("access-control-allow-origin")).toBe(null);
  });

  test("is not called for callers with a token, nor for repeated requests", async () => {
    judged.length = 0;
    expect((await send({}, message, guarded.token)).status).toBe(201);
    const keyed = { "idempotency-key": "a-key-of-a-guarded-form", "x-captcha": "right" };
    const answers = await Promise.all([send(keyed), send(keyed), send(keyed)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await send(keyed)).headers.get("idempotency-replayed")).toBe("true");
    expect(judged).toHaveLength(1);
  });
});
