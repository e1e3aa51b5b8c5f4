import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver } from "../runtime/webhooks/support/receiver.js";
import { newSession } from "../support/accounts/accounts.js";
import { type Agent, connectAgent } from "../support/agents/agent.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type EventStream, openEvents } from "../support/http/event-stream.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let chief: RuledCaller;
let agent: Agent;
let stream: EventStream;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "boxes.yaml",
        `trash: true
changes: { history: 30 }
access: { history: signed-in }
fields: { name: { type: string, required: true } }
`,
      ],
      [
        "notes.yaml",
        `trash: true
changes: true
fields:
  boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade }
`,
      ],
      ["marks.yaml", "changes: true\nfields: { name: { type: string } }\n"],
    ]),
    settings: `auth: { check_breached_passwords: false, operators: [chief] }
server: { host: 127.0.0.1, mcp: true }
webhooks: { allow: [127.0.0.1] }
`,
  });
  chief = await app.caller("chief");
  const reply = await chief.client.post<{ token: string }>("/auth/service-tokens", { name: "a" });
  expect(reply.status, reply.text).toBe(201);
  agent = await connectAgent(app.url, reply.body.token);
  const watch = encodeURIComponent(JSON.stringify({ boxes: {}, notes: {}, marks: {} }));
  const token = await newSession(app.db, chief.id);
  stream = await openEvents(app.url, token, `/_service/changes?watch=${watch}`);
  expect((await stream.next()).event).toBe("ready");
});
afterAll(async () => {
  stream.close();
  await agent.close();
  await app.close();
});

async function boxWithNote(): Promise<{ readonly box: string; readonly note: string }> {
  const { id: box } = (await chief.client.post("/boxes", { name: "Box" })).body;
  const { id: note } = (await chief.client.post("/notes", { boxId: box })).body;
  return { box, note };
}

async function deleted(path: string): Promise<void> {
  const reply = await chief.client.delete(path);
  expect(reply.status, reply.text).toBe(204);
}

async function restored(path: string): Promise<void> {
  const reply = await chief.client.post(`${path}/_restore`, undefined);
  expect(reply.status, reply.text).toBe(200);
}

/** The operations on the record that the stream has until now. */
async function changesOf(id: string): Promise<readonly string[]> {
  const { body: mark } = await chief.client.post("/marks", {});
  const ops: string[] = [];
  for (;;) {
    const { event, data } = await stream.next();
    if (event !== "change") continue;
    if (data.id === mark.id) return ops;
    if (data.id === id) ops.push(data.op);
  }
}

test("a stream has `delete`, then `create`, and nothing of a deletion from the trash", async () => {
  const { box, note } = await boxWithNote();
  expect(await changesOf(note)).toEqual(["create"]);
  await deleted(`/boxes/${box}`);
  expect(await changesOf(note)).toEqual(["delete"]);
  await restored(`/boxes/${box}`);
  expect(await changesOf(note)).toEqual(["create"]);
  await deleted(`/boxes/${box}`);
  expect(await changesOf(box)).toEqual(["delete"]);
  await deleted(`/boxes/${box}?trash=skip`);
  expect(await changesOf(box)).toEqual([]);
});

test("a stream has the changes of a record that SQL stores with the id of a deleted one", async () => {
  const { body: one } = await chief.client.post("/boxes", { name: "One" });
  await deleted(`/boxes/${one.id}`);
  expect(await changesOf(one.id)).toEqual(["create", "delete"]);
  await app.db.query("insert into boxes (id, name) values ($1, 'Two')", [one.id]);
  expect(await changesOf(one.id)).toEqual(["create"]);
  await deleted(`/boxes/${one.id}?trash=skip`);
  expect(await changesOf(one.id)).toEqual(["delete"]);

  await app.db.query("insert into boxes (id, name) values ($1, 'Three')", [one.id]);
  await deleted(`/boxes/${one.id}`);
  await app.db.query("insert into boxes (id, name) values ($1, 'Four')", [one.id]);
  await app.db.query("select service.empty_trash(array[$1])", [`boxes/${one.id}`]);
  const reply = await chief.client.get<{ data: { op: string; changes: object[] }[] }>(
    `/boxes/${one.id}/_history`,
  );
  expect(reply.body.data[1]).toMatchObject({
    op: "create",
    changes: [{ field: "name", from: null, to: "Four" }],
  });
});

test("a webhook gets `deleted`, then `created`, and nothing of a deletion from the trash", async () => {
  const receiver = await startReceiver();
  const { status, text } = await chief.client.post("/_service/webhooks", {
    url: receiver.url,
    events: ["boxes.*", "notes.*"],
  });
  expect(status, text).toBe(201);
  const { box, note } = await boxWithNote();
  const types = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.id === note)
      .map(({ type }) => type);
  await expect.poll(types).toEqual(["notes.created"]);
  await deleted(`/boxes/${box}`);
  await expect.poll(types).toEqual(["notes.created", "notes.deleted"]);
  await restored(`/boxes/${box}`);
  const all = ["notes.created", "notes.deleted", "notes.created"];
  await expect.poll(types).toEqual(all);
  await deleted(`/boxes/${box}`);
  await deleted(`/boxes/${box}?trash=skip`);
  const { note: last } = await boxWithNote();
  await expect
    .poll(() => receiver.received.some(({ body }) => JSON.parse(body).data.id === last))
    .toBe(true);
  expect(types()).toEqual([...all, "notes.deleted"]);
  await receiver.close();
});

test("an agent deletes into the trash, and finds living records only", async () => {
  const { box } = await boxWithNote();
  const found = async () =>
    (await agent.call("find", { resource: "boxes", where: { id: box } })).result;
  expect(await found()).toMatchObject({ meta: { total: 1 } });
  const answer = await agent.call("delete", { resource: "boxes", id: box });
  expect(answer.isError, JSON.stringify(answer.result)).toBe(false);
  expect(await found()).toMatchObject({ meta: { total: 0 } });
  const reply = await chief.client.get<{ deletedBy: { id: string } }>(`/boxes/${box}?trash=only`);
  expect(reply.body.deletedBy).toMatchObject({ id: chief.id });
  await restored(`/boxes/${box}`);
  expect(await found()).toMatchObject({ meta: { total: 1 } });
  expect((await agent.call("get", { resource: "boxes", id: randomUUID() })).isError).toBe(true);
});
