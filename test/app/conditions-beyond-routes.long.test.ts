import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../runtime/webhooks/support/receiver.js";
import { type Agent, connectAgent } from "../support/agents/agent.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Json, Reply } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

/** Authors write drafts and hand them in; reviewers see what is handed in, and everybody what is live. */
const articles = `
changes: { history: 30 }
owner: authorId
access:
  read:
    - { who: public, where: { state: live } }
    - { who: reviewer, where: { state: { in: [review, live] } } }
    - owner
    - admin
  create: [{ who: owner, check: { state: { in: [draft, review] } } }, admin]
  update:
    - { who: owner, where: { state: { ne: closed } }, check: { state: { in: [draft, review] } } }
    - { who: reviewer, where: { state: review } }
    - admin
  delete: [{ who: owner, where: { state: draft } }, admin]
fields:
  code: { type: string, required: true, unique: true }
  state: { type: enum, values: [draft, review, live, closed], required: true, default: draft }
  note: { type: string, access: { read: [admin] } }
  authorId: { type: belongsTo, resource: users, required: true }
`;

let app: WrittenApp;
let author: RuledCaller;
let other: RuledCaller;
let reviewer: RuledCaller;
let admin: RuledCaller;
const receivers: Receiver[] = [];
const agents: Agent[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([["articles.yaml", articles]]),
    settings: `auth: { check_breached_passwords: false, operators: [reviewer] }
server: { host: 127.0.0.1, mcp: true }
webhooks: { allow: [127.0.0.1] }
`,
  });
  author = await app.caller(null);
  other = await app.caller(null);
  reviewer = await app.caller("reviewer");
  admin = await app.caller("admin");
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()));
  await Promise.all(agents.splice(0).map((one) => one.close()));
});
afterAll(() => app?.close());

let made = 0;

/** An article of the author, as an admin makes it. */
async function article(state: string): Promise<{ readonly id: string; readonly code: string }> {
  made += 1;
  const values = { code: `a${made}`, state, authorId: author.id, note: "of the staff" };
  const { status, body } = await admin.client.post("/articles", values);
  expect(status).toBe(201);
  return { id: body.id, code: values.code };
}

async function stateOf(id: string): Promise<Json> {
  return (await admin.client.get(`/articles/${id}`)).body.state ?? null;
}

const change = ({ client }: RuledCaller, id: string, values: object) =>
  client.patch(`/articles/${id}`, values);

test("a webhook gets a record when a condition begins to show it to its account, and a deletion when the condition hides it", async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const hook = { url: receiver.url, events: ["articles.*"] };
  expect((await reviewer.client.post("/_service/webhooks", hook)).status).toBe(201);
  const { id } = await article("draft");
  await change(author, id, { code: "renamed" });
  await change(author, id, { state: "review" });
  await change(admin, id, { state: "live" });
  await change(admin, id, { note: "hidden from reviewers" });
  await change(admin, id, { state: "closed" });
  await change(admin, id, { state: "draft" });
  const sent = () =>
    receiver.received.map(({ body }) => {
      const { type, data } = JSON.parse(body);
      return [type, data.record?.state ?? null, data.changed];
    });
  await expect.poll(sent).toEqual([
    ["articles.created", "review", ["code", "state", "authorId"]],
    ["articles.updated", "live", ["state"]],
    ["articles.deleted", null, null],
  ]);
});

describe("agents", () => {
  async function agentOf({ client }: RuledCaller): Promise<Agent> {
    const reply = await client.post<{ token: string }>("/auth/service-tokens", { name: "agent" });
    const agent = await connectAgent(app.url, reply.body.token);
    agents.push(agent);
    return agent;
  }

  test("find, count and write the records that the rules open to their accounts", async () => {
    const [draft, live] = [await article("draft"), await article("live")];
    const agent = await agentOf(other);
    const where = { id: { in: [draft.id, live.id] } };
    const found = await agent.call("find", { resource: "articles", where });
    expect(found.result.meta.total).toBe(1);
    expect(found.result.data[0]).toMatchObject({ id: live.id, state: "live" });
    const counted = await agent.call("aggregate", { resource: "articles", where, by: ["state"] });
    expect(counted.result.data).toEqual([{ by: { state: "live" }, count: 1 }]);
    const got = await agent.call("get", { resource: "articles", id: draft.id });
    expect(got).toMatchObject({ isError: true, result: { status: 404 } });
    const own = await agentOf(author);
    const changed = (id: string, values: object) =>
      own.call("update", { resource: "articles", id, values });
    expect(await changed(draft.id, { state: "live" })).toMatchObject({
      isError: true,
      result: { status: 403 },
    });
    expect((await changed(draft.id, { state: "review" })).isError).toBe(false);
    const gone = await own.call("delete", { resource: "articles", id: draft.id });
    expect(gone).toMatchObject({ isError: true, result: { status: 403 } });
  });
});

describe("upserts", () => {
  const upsert = ({ client }: RuledCaller, values: object) =>
    client.post<{ data: { id: string }[]; issues: { path: string }[] }>("/_service/batch", {
      operations: [{ upsert: "articles", by: "code", values }],
    });

  test("change a record that the condition allows, as a PATCH does", async () => {
    const { id, code } = await article("draft");
    const reply = await upsert(author, { code, state: "review" });
    expect([reply.status, reply.body.data[0]?.id]).toEqual([200, id]);
    expect((await upsert(author, { code, state: "live" })).status).toBe(403);
    expect(await stateOf(id)).toBe("review");
    expect((await upsert(reviewer, { code, state: "live" })).status).toBe(200);
  });

  test("are 403 for a record that the caller may only get, and a conflict for any other", async () => {
    const closed = await article("closed");
    expect((await upsert(author, { code: closed.code, state: "draft" })).status).toBe(403);
    const hidden = await upsert(other, { code: closed.code, state: "draft" });
    expect([hidden.status, hidden.body.issues.map(({ path }) => path)]).toEqual([422, ["code"]]);
    expect(await stateOf(closed.id)).toBe("closed");
  });

  test("create only a record that fulfils the check", async () => {
    expect((await upsert(author, { code: "upserted", state: "live" })).status).toBe(403);
    const total = (await admin.client.list("/articles?filter[code]=upserted")).body.meta.total;
    expect(total).toBe(0);
    expect((await upsert(author, { code: "upserted", state: "review" })).status).toBe(200);
  });
});

test("a batch that is not atomic keeps what the conditions allow", async () => {
  const [draft, closed, later] = [
    await article("draft"),
    await article("closed"),
    await article("draft"),
  ];
  const operations = [
    { update: "articles", id: draft.id, values: { state: "live" } },
    { update: "articles", id: closed.id, values: { state: "draft" } },
    { update: "articles", id: later.id, values: { state: "review" } },
    { delete: "articles", id: later.id },
    { delete: "articles", id: draft.id },
    { create: "articles", values: { code: "batched", state: "live" } },
  ];
  const { status, body } = await author.client.post<{
    errors: { index: number; status: number }[];
  }>("/_service/batch", { operations, atomic: false });
  expect(status).toBe(200);
  expect(body.errors.map(({ index, status }) => [index, status])).toEqual([
    [0, 403],
    [1, 403],
    [3, 403],
    [5, 403],
  ]);
  expect([await stateOf(closed.id), await stateOf(later.id)]).toEqual(["closed", "review"]);
  expect((await admin.client.get(`/articles/${draft.id}`)).status).toBe(404);
});

describe("history", () => {
  interface Entry {
    readonly id: string;
    readonly op: string;
  }
  const history = ({ client }: RuledCaller, id: string): Promise<Reply<{ data: Entry[] }>> =>
    client.get(`/articles/${id}/_history`);
  const revert = ({ client }: RuledCaller, id: string, to: string | undefined) =>
    client.post<{ record: { state: string } }>(`/articles/${id}/_revert`, { to });

  test("is readable while the condition of its rule matches the record", async () => {
    const { id } = await article("draft");
    expect((await history(author, id)).status).toBe(200);
    expect((await history(reviewer, id)).status).toBe(404);
    await change(author, id, { state: "review" });
    expect((await history(reviewer, id)).status).toBe(200);
    expect((await history(other, id)).status).toBe(404);
    await change(admin, id, { state: "closed" });
    for (const caller of [author, reviewer]) {
      expect((await history(caller, id)).status).toBe(404);
    }
    expect((await history(admin, id)).body.data).toHaveLength(3);
  });

  test("of a deleted record is checked against its last values", async () => {
    const [draft, closed] = [await article("draft"), await article("draft")];
    await change(admin, closed.id, { state: "closed" });
    for (const { id } of [draft, closed]) await admin.client.delete(`/articles/${id}`);
    expect((await history(author, draft.id)).body.data.map(({ op }) => op)).toEqual([
      "delete",
      "create",
    ]);
    expect((await history(author, closed.id)).status).toBe(404);
    expect((await history(reviewer, draft.id)).status).toBe(404);
  });

  test("is reverted to only by a write that fulfils the rule", async () => {
    const { id } = await article("live");
    await change(admin, id, { state: "draft" });
    await change(author, id, { state: "review" });
    const [, draft, live] = (await history(author, id)).body.data;
    expect((await revert(author, id, live?.id)).status).toBe(403);
    expect(await stateOf(id)).toBe("review");
    const reply = await revert(author, id, draft?.id);
    expect([reply.status, reply.body.record.state]).toEqual([200, "draft"]);
    await author.client.delete(`/articles/${id}`);
    const [, last] = (await history(author, id)).body.data;
    expect((await revert(author, id, live?.id)).status).toBe(403);
    expect((await revert(author, id, last?.id)).body.record.state).toBe("draft");
  });
});

describe("a PATCH after which its author no longer sees the record", () => {
  test("returns what was written, even if the request is repeated with its key", async () => {
    const { id } = await article("review");
    const headers = { "idempotency-key": "once" };
    const send = (client: Client) =>
      client.send<{ state: string }>("PATCH", `/articles/${id}`, {
        text: JSON.stringify({ state: "draft" }),
        headers,
      });
    const first = await send(reviewer.client);
    expect([first.status, first.body.state]).toEqual([200, "draft"]);
    expect((await reviewer.client.get(`/articles/${id}`)).status).toBe(404);
    const again = await send(reviewer.client);
    expect([again.text, again.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
    expect((await change(reviewer, id, { state: "live" })).status).toBe(404);
  });
});

test("batches, uploads, history, _revert and agents need a token", async () => {
  const { id } = await article("live");
  for (const [method, path] of [
    ["POST", "/_service/batch"],
    ["GET", `/articles/${id}/_history`],
    ["POST", `/articles/${id}/_revert`],
    ["PATCH", `/articles/${id}`],
    ["POST", "/_service/mcp"],
  ] as const) {
    const text = method === "GET" ? {} : { body: "{}" };
    const headers = { "content-type": "application/json", accept: "application/json" };
    const reply = await fetch(`${app.url}/api${path}`, { method, headers, ...text });
    expect([path, reply.status]).toEqual([path, 401]);
  }
});
