import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Json } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";
import { upload } from "../support/storage/files.js";
import { pdf } from "../support/storage/stored.js";

let app: WrittenApp;
let admin: RuledCaller;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "notes.yaml",
        `trash: true
owner: ownerId
access: { read: [owner, admin], write: [owner, admin] }
fields:
  ownerId: { type: belongsTo, resource: users, required: true }
  readerId: { type: belongsTo, resource: users }
  text: { type: string }
`,
      ],
      [
        "papers.yaml",
        `trash: true
fields:
  scan: { type: file }
  proof: { type: file, required: true }
`,
      ],
    ]),
    settings:
      "auth: { check_breached_passwords: false, profiles: signed-in }\nserver: { host: 127.0.0.1 }\n",
  });
  admin = await app.caller("admin");
});
afterAll(() => app.close());

type Made = Readonly<Record<string, Json>> & { readonly id: string };

async function deleted(resource: string, values: object): Promise<string> {
  const reply = await admin.client.post<Made>(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  const path = `/${resource}/${reply.body.id}`;
  expect((await admin.client.delete(path)).status).toBe(204);
  return path;
}

const restore = (path: string) => admin.client.post<Made>(`${path}/_restore`, undefined);

const notThere = (path: string, field: string) => ({
  error: "The record is no longer valid for its resource",
  ...{ resource: path.split("/")[1], id: path.split("/")[2] },
  issues: [{ path: field, message: expect.any(String) }],
});

const removeAccount = (id: string) => app.db.query("delete from service.users where id = $1", [id]);

test("a record that must belong to a deleted account cannot be restored; optional links to it are empty", async () => {
  const eve = await app.caller(null);
  const owned = await deleted("notes", { ownerId: eve.id });
  const read = await deleted("notes", { ownerId: admin.id, readerId: eve.id });
  await removeAccount(eve.id);
  expect((await admin.client.get(`${owned}?trash=only`)).body).toMatchObject({ ownerId: eve.id });
  const refused = await restore(owned);
  expect([refused.status, refused.body]).toEqual([422, notThere(owned, "ownerId")]);
  const reply = await restore(read);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.readerId).toBeNull();
});

test("records deleted by an account are restored even after the account is deleted", async () => {
  const eve = await app.caller("admin");
  const { id } = (await admin.client.post<Made>("/notes", { ownerId: admin.id, text: "Tea" })).body;
  expect((await eve.client.delete(`/notes/${id}`)).status).toBe(204);
  const path = `/notes/${id}`;
  expect((await admin.client.get<Made>(`${path}?trash=only`)).body.deletedBy).toMatchObject({
    id: eve.id,
  });
  await removeAccount(eve.id);
  expect((await admin.client.get<Made>(`${path}?trash=only`)).body.deletedBy).toBeNull();
  expect((await admin.client.list("/notes?trash=only&sort=-deletedAt")).status).toBe(200);
  expect((await restore(path)).body).toMatchObject({ text: "Tea" });
});

test("a file that was removed by SQL is empty, or an issue of a required field", async () => {
  const [scan, proof, lost] = await Promise.all(
    ["scan", "proof", "proof"].map(async (field) => {
      const reply = await upload(admin.client, `papers/${field}`, `${field}.pdf`, pdf);
      return reply.body.key;
    }),
  );
  const kept = await deleted("papers", { scan, proof });
  const refused = await deleted("papers", { proof: lost });
  await app.db.query("delete from service.uploads where key = any ($1)", [[scan, lost]]);
  for (const path of [kept, refused]) {
    expect((await admin.client.get(`${path}?trash=only`)).status).toBe(200);
  }
  const reply = await restore(kept);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({ scan: null, scanFile: null, proof });
  const other = await restore(refused);
  expect([other.status, other.body]).toEqual([422, notThere(refused, "proof")]);
});
