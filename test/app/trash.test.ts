import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Json } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let ada: RuledCaller;
let bob: RuledCaller;
let admin: RuledCaller;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "boxes.yaml",
        `trash: 7
changes: { history: 30 }
owner: accountId
access: { read: [owner, admin], create: owner, update: owner, delete: [owner, admin], purge: [admin] }
fields:
  accountId: { type: belongsTo, resource: users, required: true, onDelete: cascade }
  name: { type: string, required: true, unique: true }
`,
      ],
      [
        "folders.yaml",
        `trash: true
changes: { history: 30 }
owner: boxId.accountId
access: { read: [owner, admin], write: [owner, admin] }
fields:
  boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade, inverse: folders }
  name: { type: string, required: true }
  mainPaperId: { type: belongsTo, resource: papers }
`,
      ],
      [
        "papers.yaml",
        `trash: true
access: { read: signed-in, write: signed-in }
fields:
  folderId: { type: belongsTo, resource: folders, required: true, onDelete: cascade }
  title: { type: string, required: true }
  price: { type: number, decimals: 2 }
  labelId: { type: belongsTo, resource: labels }
  kindId: { type: belongsTo, resource: kinds, required: true }
  state: { type: enum, values: [draft, live], required: true, default: draft }
`,
      ],
      ["labels.yaml", "trash: true\nfields: { name: { type: string } }\n"],
      ["kinds.yaml", "fields: { name: { type: string, unique: true } }\n"],
      [
        "slips.yaml",
        "unique: [[paperId, place]]\nfields: { paperId: { type: belongsTo, resource: papers }, place: { type: number } }\n",
      ],
      ["pins.yaml", "fields: { paperId: { type: belongsTo, resource: papers, unique: true } }\n"],
    ]),
  });
  [ada, bob, admin] = (await Promise.all(
    [null, null, "admin"].map((role) => app.caller(role)),
  )) as [RuledCaller, RuledCaller, RuledCaller];
});
afterAll(() => app.close());

type Made = Readonly<Record<string, Json>> & { readonly id: string };

async function made(resource: string, values: object, by: Client = ada.client): Promise<Made> {
  const reply = await by.post<Made>(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

async function deleted(path: string, by: Client = ada.client): Promise<void> {
  const reply = await by.delete(path);
  expect(reply.status, reply.text).toBe(204);
}

interface List {
  readonly data: readonly Made[];
  readonly meta: { readonly total: number };
}

async function listed(resource: string, query: string, by: Client = ada.client): Promise<List> {
  const reply = await by.get<List>(`/${resource}?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const restore = (path: string, by: Client = ada.client) =>
  by.post<Made & { readonly error: string }>(`${path}/_restore`, undefined);

async function box(name: string = randomUUID()): Promise<Made> {
  return made("boxes", { name });
}

async function filled() {
  const top = await box();
  const kind = await made("kinds", { name: randomUUID() });
  const folder = await made("folders", { boxId: top.id, name: "Folder" });
  const label = await made("labels", { name: "Red" });
  const values = { folderId: folder.id, kindId: kind.id, labelId: label.id };
  const paper = await made("papers", { ...values, title: "Paper", price: 1.5 });
  const pin = await made("pins", { paperId: paper.id });
  return { top, kind, folder, label, paper, pin };
}

test("a deleted record is in the trash as it was, with the time and the account", async () => {
  const top = await box();
  const path = `/boxes/${top.id}`;
  await deleted(path);
  expect((await ada.client.get(path)).status).toBe(404);
  const reply = await ada.client.get<Made>(`${path}?trash=only`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.etag).toBeUndefined();
  const { deletedAt, deletedBy, ...record } = reply.body;
  expect(record).toEqual(top);
  expect(deletedBy).toMatchObject({ id: ada.id });
  expect(Date.parse(String(deletedAt))).toBeLessThanOrEqual(Date.now() + 60_000);
  expect(Object.keys(reply.body)).toEqual([
    ...["id", "accountId", "name", "deletedAt", "deletedBy", "createdAt", "updatedAt"],
  ]);
  const { data, meta } = await listed("boxes", `trash=only&filter[name]=${top.name}`);
  expect(data).toEqual([reply.body]);
  expect(meta.total).toBe(1);
});

test("a restored record has its former values and a new updatedAt, and leaves the trash", async () => {
  const top = await box();
  await deleted(`/boxes/${top.id}`);
  const reply = await restore(`/boxes/${top.id}`);
  expect(reply.status, reply.text).toBe(200);
  const { updatedAt, ...record } = reply.body;
  expect(record).toEqual({ ...top, updatedAt: undefined });
  expect(String(updatedAt) > String(top.updatedAt)).toBe(true);
  expect(reply.headers.etag).toBeDefined();
  expect((await ada.client.get(`/boxes/${top.id}?trash=only`)).status).toBe(404);
  expect((await restore(`/boxes/${top.id}`)).status).toBe(404);
  expect((await ada.client.get(`/boxes/${top.id}`)).body).toEqual(reply.body);
});

test("records deleted by cascade are restored with it, and cleared links are set again", async () => {
  const { top, folder, label, paper, pin } = await filled();
  expect((await ada.client.patch(`/folders/${folder.id}`, { mainPaperId: paper.id })).status).toBe(
    200,
  );
  await deleted(`/boxes/${top.id}`);
  expect((await ada.client.get<Made>(`/pins/${pin.id}`)).body.paperId).toBeNull();
  expect((await listed("papers", `trash=only&filter[folderId]=${folder.id}`)).data).toMatchObject([
    { id: paper.id, title: "Paper", price: 1.5, labelId: label.id },
  ]);
  const child = await restore(`/papers/${paper.id}`);
  expect(child.status).toBe(409);
  expect(child.body).toEqual({ error: child.body.error, resource: "boxes", id: top.id });
  const reply = await restore(`/boxes/${top.id}`);
  expect(reply.status, reply.text).toBe(200);
  expect((await ada.client.get<Made>(`/papers/${paper.id}`)).body).toMatchObject({
    ...paper,
    updatedAt: expect.any(String),
  });
  expect((await ada.client.get<Made>(`/folders/${folder.id}`)).body.mainPaperId).toBe(paper.id);
  expect((await ada.client.get<Made>(`/pins/${pin.id}`)).body.paperId).toBe(paper.id);
  expect((await listed("papers", `trash=only&filter[folderId]=${folder.id}`)).meta.total).toBe(0);
});

test("cleared links are set again but those that would no longer be unique", async () => {
  const { paper } = await filled();
  const slips: Made[] = [];
  for (const place of [1, 2, 3, 4, 5]) {
    slips.push(await made("slips", { paperId: paper.id, place }));
  }
  await deleted(`/papers/${paper.id}`);
  expect((await ada.client.patch(`/slips/${slips[1]?.id}`, { place: 4 })).status).toBe(200);
  expect((await restore(`/papers/${paper.id}`)).status).toBe(200);
  const ids = slips.map(({ id }) => id).join(",");
  const { data } = await listed("slips", `filter[id][in]=${ids}&sort=createdAt`);
  expect(data.map(({ paperId, place }) => [paperId, place])).toEqual([
    ...[
      [paper.id, 1],
      [paper.id, 4],
      [paper.id, 3],
      [null, 4],
      [paper.id, 5],
    ],
  ]);
});

test("SQL moves rows to the trash too: each named row separately, with its cascade", async () => {
  const { top, folder, paper } = await filled();
  const other = await made("boxes", { name: randomUUID() });
  await app.db.query("delete from boxes where id in ($1, $2)", [top.id, other.id]);
  const found = (await ada.client.get<Made>(`/boxes/${top.id}?trash=only`)).body;
  expect(found.deletedBy).toBeNull();
  expect((await restore(`/folders/${folder.id}`)).body).toMatchObject({ id: top.id });
  expect((await restore(`/boxes/${top.id}`)).status).toBe(200);
  expect((await ada.client.get(`/papers/${paper.id}`)).status).toBe(200);
  expect((await ada.client.get(`/boxes/${other.id}`)).status).toBe(404);
  expect((await restore(`/boxes/${other.id}`)).status).toBe(200);
});

test("a taken value, a missing target and a restored parent refuse a restore, naming the record", async () => {
  const { top, paper, kind } = await filled();
  await deleted(`/boxes/${top.id}`);
  const taker = await box(String(top.name));
  const taken = await restore(`/boxes/${top.id}`);
  expect(taken.status).toBe(409);
  expect(taken.body).toEqual({
    ...{ error: taken.body.error, resource: "boxes", id: top.id, field: "name" },
  });
  await deleted(`/boxes/${taker.id}`);
  await deleted(`/kinds/${kind.id}`);
  const missing = await restore(`/boxes/${top.id}`);
  expect(missing.status).toBe(422);
  expect(missing.body).toEqual({
    error: missing.body.error,
    ...{ resource: "papers", id: paper.id },
    issues: [{ path: "kindId", message: expect.any(String) }],
  });
  expect((await ada.client.get(`/boxes/${top.id}`)).status).toBe(404);
  expect((await ada.client.get(`/boxes/${top.id}?trash=only`)).status).toBe(200);
});

test("own links that lead nowhere are empty", async () => {
  const { paper, label } = await filled();
  await deleted(`/papers/${paper.id}`);
  await deleted(`/labels/${label.id}`);
  const reply = await restore(`/papers/${paper.id}`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.labelId).toBeNull();
});

test("owners see their deleted records, by the trash on the path to them", async () => {
  const { top, folder } = await filled();
  await deleted(`/boxes/${top.id}`);
  const query = `trash=only&filter[boxId]=${top.id}`;
  expect((await listed("folders", query)).data).toMatchObject([{ id: folder.id }]);
  expect((await listed("folders", query, bob.client)).data).toEqual([]);
  expect((await bob.client.get(`/folders/${folder.id}?trash=only`)).status).toBe(404);
  expect((await restore(`/boxes/${top.id}`, bob.client)).status).toBe(404);
  expect((await listed("folders", query, admin.client)).meta.total).toBe(1);
});

test("a living record on that path counts in place of a deleted one with its id", async () => {
  const { top, folder } = await filled();
  await deleted(`/boxes/${top.id}`);
  await app.db.query("insert into boxes (id, account_id, name) values ($1, $2, $3)", [
    ...[top.id, bob.id, randomUUID()],
  ]);
  const query = `trash=only&filter[boxId]=${top.id}`;
  expect((await listed("folders", query, bob.client)).meta.total).toBe(1);
  expect((await bob.client.get(`/folders/${folder.id}?trash=only`)).status).toBe(200);
  expect((await listed("folders", query)).data).toEqual([]);
  expect((await ada.client.get(`/folders/${folder.id}?trash=only`)).status).toBe(404);
});

test("trash accepts only one value, and no parameters that deleted records lack", async () => {
  for (const query of [
    ...["trash=all", "trash=", "trash=only&cursor=", "trash=only&position=true"],
    ...["trash=only&include=folders", "trash=only&search=a", "trash=only&trash=only"],
  ]) {
    expect((await ada.client.get(`/boxes?${query}`)).status, query).toBe(400);
  }
  expect((await ada.client.get(`/boxes/${randomUUID()}?trash=x`)).status).toBe(400);
  expect((await ada.client.get("/kinds?trash=only")).status).toBe(400);
  expect((await ada.client.post("/boxes/_query", { trash: "x" })).status).toBe(400);
  const since = { deletedAt: { gte: "2000-01-01T00:00:00Z" } };
  const reply = await ada.client.post<List>("/boxes/_query", {
    ...{ trash: "only", where: since, sort: ["deletedAt"] },
  });
  expect(reply.status, reply.text).toBe(200);
});

test("the newest deletions come first", async () => {
  const [one, two] = [await box(), await box()];
  await deleted(`/boxes/${one.id}`);
  await deleted(`/boxes/${two.id}`);
  const { data } = await listed("boxes", "trash=only&perPage=2");
  expect(data.map(({ id }) => id)).toEqual([two.id, one.id]);
});

test("trash=skip deletes permanently by its rule, with records in the trash that belong to it", async () => {
  const { top, folder, paper } = await filled();
  await deleted(`/papers/${paper.id}`);
  const path = `/boxes/${top.id}?trash=skip`;
  expect((await ada.client.delete(path)).status).toBe(403);
  expect((await admin.client.delete(`/boxes/${top.id}?trash=no`)).status).toBe(400);
  await deleted(path, admin.client);
  for (const other of [`/boxes/${top.id}`, `/folders/${folder.id}`, `/papers/${paper.id}`]) {
    expect((await admin.client.get(`${other}?trash=only`)).status, other).toBe(404);
  }
  const next = await box();
  await deleted(`/boxes/${next.id}`);
  await deleted(`/boxes/${next.id}?trash=skip`, admin.client);
  expect((await restore(`/boxes/${next.id}`)).status).toBe(404);
  expect((await admin.client.delete(`/boxes/${next.id}?trash=skip`)).status).toBe(404);
});

test("deleting an account deletes its records permanently, including those in the trash", async () => {
  const eve = await app.caller(null);
  const top = await made("boxes", { name: randomUUID() }, eve.client);
  const living = [await box(), await box()].map(({ id }) => id);
  await app.db.query("update boxes set account_id = $1 where id = any ($2)", [eve.id, living]);
  await deleted(`/boxes/${top.id}`, eve.client);
  await app.db.query("delete from service.users where id = $1", [eve.id]);
  const one = await app.caller(null);
  const { id: last } = await made("boxes", { name: randomUUID() }, one.client);
  await app.db.query("delete from service.users where id = $1", [one.id]);
  for (const id of [top.id, ...living, last]) {
    expect((await admin.client.get(`/boxes/${id}`)).status).toBe(404);
    expect((await admin.client.get(`/boxes/${id}?trash=only`)).status).toBe(404);
  }
});

test("one of many concurrent restores wins", async () => {
  const { top, paper } = await filled();
  await deleted(`/boxes/${top.id}`);
  const replies = await Promise.all(Array.from({ length: 20 }, () => restore(`/boxes/${top.id}`)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
  expect((await ada.client.get(`/papers/${paper.id}`)).status).toBe(200);
});

test("a history records the deletion, the restore and the permanent deletion", async () => {
  const top = await box();
  const path = `/boxes/${top.id}`;
  await deleted(path);
  await restore(path);
  await deleted(path);
  await deleted(`${path}?trash=skip`, admin.client);
  const reply = await ada.client.get<{ data: { op: string; by: { id: string } }[] }>(
    `${path}/_history`,
  );
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.data.map(({ op, by }) => [op, by.id])).toEqual([
    ["delete", admin.id],
    ["trash", ada.id],
    ["restore", ada.id],
    ["trash", ada.id],
    ["create", ada.id],
  ]);
});
