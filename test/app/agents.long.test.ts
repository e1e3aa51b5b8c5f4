import { refusal } from "service-runtime/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Agent, connectAgent } from "../support/agents/agent.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

const descriptors = new Map([
  [
    "customers.yaml",
    "access: { read: signed-in, write: [clerk] }\nfields: { name: { type: string, required: true } }\n",
  ],
  [
    "invoices.yaml",
    `access: { read: [clerk, owner], write: [clerk], create: signed-in }
owner: accountId
fields:
  number: { type: string, required: true, unique: true }
  amount: { type: number, decimals: 2, min: 0, required: true }
  state: { type: enum, values: [open, paid], required: true, default: open }
  terms: { type: text }
  margin: { type: number, access: { read: [clerk], write: [clerk] } }
  scan: { type: file, accept: [text/plain] }
  customerId: { type: belongsTo, resource: customers, inverse: invoices }
  accountId: { type: belongsTo, resource: users, required: true }
`,
  ],
  ["invoice-lines.yaml", "fields: { text: { type: string } }\n"],
  [
    "teams.yaml",
    "owner: { link: id, through: memberships, founder: lead }\naccess: { read: owner, create: signed-in, update: owner.lead, delete: owner.lead }\nfields: { name: { type: string } }\n",
  ],
  [
    "memberships.yaml",
    `owner: { link: teamId, through: memberships }
access: { read: owner, write: owner.lead }
unique: [[teamId, userId]]
fields:
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade }
  userId: { type: belongsTo, resource: users, required: true }
  role: { type: enum, values: [lead, member], required: true, default: member }
`,
  ],
]);

const seen: unknown[] = [];
let started: (signal: AbortSignal) => void = () => {};
let app: WrittenApp;
let clerk: Person;
let ada: Person;
let bob: Person;

/** An account with its agent, which has a service token of it. */
interface Person {
  readonly id: string;
  readonly client: Client;
  readonly agent: Agent;
  readonly token: string;
}

async function person(role: string | null): Promise<Person> {
  const { client, id } = await app.caller(role);
  const reply = await client.post<{ token: string }>("/auth/service-tokens", { name: "agent" });
  expect(reply.status, reply.text).toBe(201);
  const { token } = reply.body;
  return { id, client, token, agent: await connectAgent(app.url, token) };
}

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors,
    // A tool that breaks is logged.
    variables: { SERVICE_LOG_LEVEL: "silent" },
    settings:
      "app: { name: Ledger }\nauth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1, mcp: true }\n",
    options: {
      hooks: {
        invoices: {
          beforeCreate: (values) => ({
            ...(values as object),
            number: `${(values as { number: string }).number}!`,
          }),
        },
      },
      policies: { customers: { delete: () => false } },
      tools: {
        remind: {
          description: "Reminds of an invoice.",
          input: z.object({ number: z.string().min(2), days: z.int().default(7) }),
          run: async (input, { caller, db, resources, log, signal }) => {
            const [row] = await db.query("select count(*)::int as n from invoices");
            const { total } = (await (resources as AppResources).invoices.list()).meta;
            seen.push([input, caller, typeof log.info, signal.aborted]);
            return { all: row?.n, total, at: new Date(0) };
          },
        },
        refuse: {
          description: "Refuses.",
          input: z.object({}),
          run: () => {
            throw refusal(409, "Not today");
          },
        },
        breaks: {
          description: "Breaks.",
          input: z.object({}),
          run: () => {
            throw new Error("a secret");
          },
        },
        counts: { description: "Counts.", input: z.object({}), run: () => [1, 2] },
        waits: {
          description: "Waits until nobody waits for it.",
          input: z.object({}),
          run: (_, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener("abort", resolve);
              started(signal);
            }),
        },
      },
    },
  });
  clerk = await person("clerk");
  ada = await person(null);
  bob = await person(null);
});
afterAll(() => app.close());

interface AppResources {
  readonly invoices: { list(): Promise<{ meta: { total: number } }> };
}

const none = "0199c0de-0000-7000-8000-000000000001";
let count = 0;

async function invoice(by: Person, values: object = {}): Promise<{ id: string; etag: string }> {
  count += 1;
  const sent = { number: `R${count}`, amount: 10, ...values };
  const { isError, result } = await by.agent.call("create", { resource: "invoices", values: sent });
  expect(result).toMatchObject({ record: {} });
  expect(isError).toBe(false);
  return { id: result.record.id, etag: result.etag };
}

test("an agent finds nine tools and the app's tools, each annotated with its effects", async () => {
  const { tools } = await ada.agent.client.listTools();
  const marks = tools.map(({ name, annotations }) => [
    name,
    annotations?.readOnlyHint,
    annotations?.destructiveHint,
  ]);
  expect(marks).toEqual([
    ["list_resources", true, undefined],
    ["describe_resource", true, undefined],
    ["find", true, undefined],
    ["get", true, undefined],
    ["aggregate", true, undefined],
    ["create", false, false],
    ["update", false, true],
    ["delete", false, true],
    ["batch", false, true],
    ["remind", undefined, undefined],
    ["refuse", undefined, undefined],
    ["breaks", undefined, undefined],
    ["counts", undefined, undefined],
    ["waits", undefined, undefined],
  ]);
  expect(tools.map(({ inputSchema }) => inputSchema.type)).toEqual(tools.map(() => "object"));
  const remind = tools.find(({ name }) => name === "remind");
  expect(remind?.inputSchema).toMatchObject({ required: ["number"] });
  expect(ada.agent.client.getServerVersion()).toMatchObject({ name: "Ledger" });
});

test("resources are listed and described as in the API", async () => {
  const { body } = await ada.client.get<{ data: { name: string; fields: object[] }[] }>(
    "/_service/resources",
  );
  const { result } = await ada.agent.call("list_resources");
  expect(result).toEqual(body);
  const described = await ada.agent.call("describe_resource", { resource: "invoices" });
  expect(described).toEqual({
    isError: false,
    result: body.data.find(({ name }) => name === "invoices"),
  });
  for (const resource of ["users", "_service/views", "auth", "__proto__", ""]) {
    const { isError, result } = await ada.agent.call("describe_resource", { resource });
    expect({ isError, result }).toEqual({
      isError: true,
      result: { status: 404, error: `There is no resource "${resource}"` },
    });
  }
});

test("a record is created, read, changed and deleted as through the API, with tags, hooks and defaults", async () => {
  const { id, etag } = await invoice(clerk, { terms: "x".repeat(300) });
  const { body, headers } = await clerk.client.get(`/invoices/${id}`);
  expect(headers.etag).toBe(etag);
  expect(body.number).toMatch(/!$/);
  const got = await clerk.agent.call("get", { resource: "invoices", id });
  expect(got.result).toEqual({ record: body, etag });

  const changes = { resource: "invoices", id, values: { state: "paid" }, ifMatch: etag };
  const updated = await clerk.agent.call("update", changes);
  expect(updated.result).toMatchObject({ record: { id, state: "paid" } });
  expect(updated.result.etag).not.toBe(etag);
  const { amount } = updated.result.record as { amount: number };
  const added = await clerk.agent.call("update", {
    ...{ resource: "invoices", id, values: { amount: { add: 2.5 } } },
  });
  expect(added.result).toMatchObject({ record: { amount: amount + 2.5 } });
  const lacking = await clerk.agent.call("update", {
    ...{ resource: "invoices", id, values: { amount: { add: -1_000 } } },
  });
  expect(lacking).toMatchObject({ isError: true, result: { status: 422 } });
  const lost = await clerk.agent.call("update", changes);
  const told = { status: 412, error: "The record has changed since it was read" };
  expect(lost).toEqual({ isError: true, result: told });
  expect(await clerk.agent.call("delete", changes)).toMatchObject({
    isError: true,
    result: { status: 422, issues: [{ path: "values" }] },
  });
  const target = { resource: "invoices", id };
  expect(await clerk.agent.call("delete", { ...target, ifMatch: etag })).toMatchObject({
    result: { status: 412 },
  });
  expect(await clerk.agent.call("delete", { ...target, ifMatch: added.result.etag })).toEqual({
    isError: false,
    result: {},
  });
  expect(await clerk.agent.call("get", target)).toMatchObject({ result: { status: 404 } });
});

test("get takes fields and include, and reports their mistakes as a list does", async () => {
  const customer = await clerk.client.post("/customers", { name: "Ann" });
  const { id } = await invoice(clerk, { customerId: customer.body.id });
  const target = { resource: "invoices", id };
  const include = { customer: { fields: ["name"] } };
  const { result } = await clerk.agent.call("get", { ...target, fields: ["state"], include });
  expect(result).toEqual({
    record: { id, state: "open", customer: { id: customer.body.id, name: "Ann" } },
    etag: null,
  });
  const nested = {
    invoices: { where: { state: "open" }, count: true, include: { customer: true } },
  };
  const back = { resource: "customers", id: customer.body.id, include: nested };
  expect((await clerk.agent.call("get", back)).result.record.invoices).toMatchObject({
    count: 1,
    data: [{ id, customer: { name: "Ann" } }],
  });
  expect(await clerk.agent.call("get", { ...target, fields: ["nothing"] })).toMatchObject({
    isError: true,
    result: { status: 400, issues: [{ param: "fields" }] },
  });
  for (const wrong of [{ fields: "state" }, { include: ["customer"] }, { other: 1 }]) {
    expect(await clerk.agent.call("get", { ...target, ...wrong })).toMatchObject({
      isError: true,
      result: { status: 422, issues: [{ path: Object.keys(wrong)[0] }] },
    });
  }
  for (const id of ["_stats", "_aggregate", "../customers", "", none]) {
    const { result } = await clerk.agent.call("get", { resource: "invoices", id });
    expect(result).toEqual({ status: 404, error: "Not found" });
  }
});

test("find returns at most 25 records, and cuts texts that it does not name to 200 characters", async () => {
  const terms = `${"é😀".repeat(150)}`;
  for (let at = 0; at < 26; at += 1) await invoice(clerk, { terms, amount: 77 });
  const query = { resource: "invoices", where: { amount: 77 } };
  const { result } = await clerk.agent.call("find", { ...query, perPage: 100 });
  expect(result.meta).toEqual({ page: 1, perPage: 25, total: 26, totalPages: 2 });
  expect(result.data).toHaveLength(25);
  const whole = await clerk.client.get(`/invoices/${result.data[0].id}`);
  expect(result.data[0]).toEqual({ ...whole.body, terms: [...terms].slice(0, 200).join("") });
  const named = await clerk.agent.call("find", { ...query, perPage: 1, fields: ["terms"] });
  expect(named.result.data).toEqual([{ id: expect.any(String), terms }]);
  for (const [wrong, param] of [
    [{ perPage: 101 }, "perPage"],
    [{ perPage: "5" }, "perPage"],
    [{ filter: {} }, "filter"],
    [{ where: { nothing: 1 } }, "where"],
    [{ fields: [] }, "fields"],
  ] as const) {
    expect(await clerk.agent.call("find", { ...query, ...wrong })).toMatchObject({
      isError: true,
      result: { status: 400, issues: [{ param }] },
    });
  }
  expect(await clerk.agent.call("find", { where: {} })).toMatchObject({
    result: { status: 422, issues: [{ path: "resource" }] },
  });
});

test("a resource may be named as in code, and an unknown name gets the nearest one as a hint", async () => {
  const sent = { resource: "invoiceLines", values: { text: "Tea" } };
  const made = await clerk.agent.call("create", sent);
  expect(made).toMatchObject({ isError: false, result: { record: { text: "Tea" } } });
  const operations = [{ create: "invoiceLines", values: { text: "Cup" } }];
  expect(await clerk.agent.call("batch", { operations })).toMatchObject({
    result: { data: [{ text: "Cup" }] },
  });
  const found = await clerk.agent.call("find", { resource: "invoiceLines", sort: ["text"] });
  expect(found).toMatchObject({ result: { data: [{ text: "Cup" }, { text: "Tea" }] } });
  expect(await clerk.agent.call("describe_resource", { resource: "invoiceLines" })).toMatchObject({
    result: { name: "invoice-lines" },
  });
  const error = 'There is no resource "invoiceLine": did you mean "invoice-lines"?';
  for (const [tool, input] of [
    ["find", {}],
    ["describe_resource", {}],
    ["create", { values: {} }],
  ] as const) {
    expect(await clerk.agent.call(tool, { resource: "invoiceLine", ...input })).toMatchObject({
      isError: true,
      result: { status: 404, error },
    });
  }
});

test("aggregate and batch return what the API returns", async () => {
  const body = { by: ["state"], sum: ["amount"], where: { amount: { gte: 77 } } };
  const reply = await clerk.client.post("/invoices/_aggregate", body);
  const { result } = await clerk.agent.call("aggregate", { resource: "invoices", ...body });
  expect(result).toEqual(reply.body);
  const operations = [
    { create: "customers", values: { name: "Bo" } },
    { create: "invoices", values: { number: "B1", amount: 1, customerId: { ref: 0 } } },
  ];
  const made = await clerk.agent.call("batch", { operations });
  expect(made).toMatchObject({ result: { data: [{ name: "Bo" }, { number: "B1!" }] } });
  expect(await clerk.agent.call("batch", { operations: [operations[0], {}] })).toMatchObject({
    isError: true,
    result: { status: 400, index: 1 },
  });
  expect(await clerk.agent.call("batch", { operations: [], other: 1 })).toMatchObject({
    isError: true,
    result: { status: 400 },
  });
});

describe("rights", () => {
  test("are those of the token's account: rules, owners, fields, policies and teams", async () => {
    const mine = await invoice(ada, { amount: 5 });
    const target = { resource: "invoices", id: mine.id };
    expect((await ada.agent.call("get", target)).result.record).not.toHaveProperty("margin");
    expect((await bob.agent.call("get", target)).result).toEqual({
      status: 404,
      error: "Not found",
    });
    expect((await bob.agent.call("find", { resource: "invoices" })).result.data).toEqual([]);
    expect((await ada.agent.call("find", { resource: "invoices" })).result.data).toHaveLength(1);
    expect(
      (await ada.agent.call("find", { resource: "invoices", fields: ["margin"] })).result,
    ).toMatchObject({ status: 400 });
    const forbidden = { isError: true, result: { status: 403, error: "You may not do this" } };
    expect(await ada.agent.call("update", { ...target, values: {} })).toEqual(forbidden);
    expect(await ada.agent.call("delete", target)).toEqual(forbidden);
    const values = { name: "Eve" };
    expect(await ada.agent.call("create", { resource: "customers", values })).toEqual(forbidden);
    expect(
      await ada.agent.call("batch", { operations: [{ create: "customers", values }] }),
    ).toMatchObject({ isError: true, result: { status: 403, index: 0 } });
    const { body } = await clerk.client.post("/customers", values);
    expect(await clerk.agent.call("delete", { resource: "customers", id: body.id })).toMatchObject({
      isError: true,
      result: { status: 403 },
    });
    const margin = { number: "M", amount: 1, margin: 3 };
    expect(await ada.agent.call("create", { resource: "invoices", values: margin })).toMatchObject({
      isError: true,
      result: { status: 422, issues: [{ path: "margin" }] },
    });
  });

  test("of members of a team", async () => {
    const { result } = await ada.agent.call("create", { resource: "teams", values: { name: "A" } });
    const target = { resource: "teams", id: result.record.id };
    expect(await bob.agent.call("get", target)).toMatchObject({ result: { status: 404 } });
    const values = { teamId: target.id, userId: bob.id };
    const joined = await ada.agent.call("create", { resource: "memberships", values });
    expect(joined.isError, JSON.stringify(joined)).toBe(false);
    expect((await bob.agent.call("get", target)).result.record).toMatchObject({ name: "A" });
    expect(await bob.agent.call("update", { ...target, values: { name: "B" } })).toMatchObject({
      isError: true,
    });
  });

  test("end with the token", async () => {
    const guest = await person(null);
    const { body } = await guest.client.get<{ data: { id: string }[] }>("/auth/service-tokens");
    await guest.client.delete(`/auth/service-tokens/${body.data[0]?.id}`);
    await expect(guest.agent.call("list_resources")).rejects.toThrow("Sign in first");
  });
});

test("a request repeated with its key writes once", async () => {
  const headers = { "idempotency-key": "agent-1" };
  const agent = await connectAgent(app.url, clerk.token, { headers });
  const input = { resource: "invoices", values: { number: "K1", amount: 3 } };
  const first = await agent.call("create", input);
  expect(await agent.call("create", input)).toEqual(first);
  expect(
    (await clerk.agent.call("find", { resource: "invoices", where: { number: "K1!" } })).result.meta
      .total,
  ).toBe(1);
  expect(await agent.call("create", { ...input, values: {} })).toMatchObject({
    result: { status: 422, error: "This idempotency key was used for another request" },
  });
});

describe("tools of the app", () => {
  test("get validated input and their context", async () => {
    const { result, isError } = await ada.agent.call("remind", { number: "R1" });
    expect(isError).toBe(false);
    expect(result).toMatchObject({ all: expect.any(Number), at: "1970-01-01T00:00:00.000Z" });
    // Without access rules, as `response.locals.resources`.
    expect(result.total).toBe(result.all);
    const caller = { accountId: ada.id, role: null, sessionId: expect.any(String) };
    expect(seen).toEqual([[{ number: "R1", days: 7 }, caller, "function", false]]);
    expect((await ada.agent.call("counts")).result).toEqual({ result: [1, 2] });
  });

  test("are notified when the client no longer waits", async () => {
    const agent = await connectAgent(app.url, ada.token);
    const gone = new AbortController();
    const waiting = new Promise<AbortSignal>((resolve) => {
      started = resolve;
    });
    const answer = agent.client.callTool({ name: "waits" }, { signal: gone.signal });
    const signal = await waiting;
    expect(signal.aborted).toBe(false);
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    gone.abort();
    await expect(answer).rejects.toThrow();
    await aborted;
  });

  test("refuse as app routes do, and hide internal errors", async () => {
    expect(await ada.agent.call("remind", { number: "R", days: "x" })).toMatchObject({
      isError: true,
      result: { status: 422, issues: [{ path: "number" }, { path: "days" }] },
    });
    expect(await ada.agent.call("refuse")).toEqual({
      isError: true,
      result: { status: 409, error: "Not today" },
    });
    expect(await ada.agent.call("breaks")).toEqual({
      isError: true,
      result: { status: 500, error: "Internal server error" },
    });
  });
});
