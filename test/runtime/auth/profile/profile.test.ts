import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { detailsOf } from "../../../support/apps/round.js";
import { expectRefusal, paths } from "../../../support/apps/shop.js";
import { client } from "../../../support/http/client.js";
import { type SignedInDevice, signInWith } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

interface Me {
  readonly user: Readonly<Record<string, unknown>>;
  readonly session: { readonly id: string };
}

let server: AuthServer;
let device: SignedInDevice;
let accountId: string;

beforeAll(async () => {
  server = await startAuth();
  await server.account("bob");
});
beforeEach(async () => {
  server.clock.moveOn(61);
  const { db } = server.services;
  await db.query("delete from service.uploads");
  await db.query("delete from service.users where name <> 'bob'");
  device = await signInWith(server, await server.account("ada", "admin"));
  accountId = String((await device.caller.get<Me>("/auth/me")).body.user.id);
});
afterAll(() => server.close());

const key = "users/avatar/2030/01/01890000-0000-7000-8000-000000000000-me.webp";

/** A file as an upload would have left it. */
async function uploaded(changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const row = { key, resource: "users", field: "avatar", user_id: accountId, ...changes };
  await server.services.db.query(
    `insert into service.uploads (key, resource, field, user_id, details)
     values ($1, $2, $3, $4, $5)`,
    [row.key, row.resource, row.field, row.user_id, JSON.stringify(detailsOf(row.key))],
  );
}

const patch = (body: object) => device.caller.patch<Me>("/auth/me", body);

async function updatedAt(): Promise<Date | undefined> {
  const rows = await server.services.db.query<{ at: Date }>(
    "select updated_at as at from service.users where id = $1",
    [accountId],
  );
  return rows[0]?.at;
}

test("a name is trimmed, and the response has the whole user", async () => {
  server.clock.moveOn(1);
  const reply = await patch({ name: "  Ada Lovelace 💻 " });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    user: {
      id: accountId,
      name: "Ada Lovelace 💻",
      email: "ada@example.com",
      role: "admin",
      emailVerified: true,
      twoFactorEnabled: false,
      avatar: null,
      avatarFile: null,
      image: null,
    },
    session: { id: device.sessionId },
    operator: false,
  });
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect((await device.caller.get<Me>("/auth/me")).body).toEqual(reply.body);
  expect(await updatedAt()).toEqual(server.services.clock.now());
});

test("an empty change changes nothing", async () => {
  const before = await updatedAt();
  server.clock.moveOn(1);
  const reply = await patch({});
  expect([reply.status, reply.body.user.name]).toEqual([200, "ada"]);
  expect(await updatedAt()).toEqual(before);
});

test("the caller's upload becomes the picture, and null removes it", async () => {
  await uploaded();
  const reply = await patch({ avatar: key });
  expect(reply.status).toBe(200);
  expect(reply.body.user).toMatchObject({
    name: "ada",
    avatar: key,
    avatarFile: detailsOf(key),
    image: key,
  });
  expect((await patch({ name: "Ada" })).body.user).toMatchObject({ name: "Ada", avatar: key });
  const without = await patch({ avatar: null });
  expect(without.status).toBe(200);
  expect(without.body.user).toMatchObject({ avatar: null, avatarFile: null, image: null });
});

test.each<[string, () => Promise<void>]>([
  ["that was never uploaded", async () => {}],
  ["of another account", async () => uploaded({ user_id: await idOf("bob") })],
  ["of a deleted account", () => uploaded({ user_id: null })],
  ["of another field", () => uploaded({ field: "cover" })],
  ["of another resource", () => uploaded({ resource: "products" })],
])("a key %s is refused, with everything sent with it", async (_, prepare) => {
  await prepare();
  expect(paths(await patch({ name: "Eve", avatar: key }))).toEqual(["avatar"]);
  expect((await device.caller.get<Me>("/auth/me")).body.user).toMatchObject({
    name: "ada",
    avatar: null,
  });
});

async function idOf(name: string): Promise<string | undefined> {
  const rows = await server.services.db.query<{ id: string }>(
    "select id from service.users where name = $1",
    [name],
  );
  return rows[0]?.id;
}

test.each([
  [{ name: "" }, ["name"]],
  [{ name: null }, ["name"]],
  [{ name: "a\nb" }, ["name"]],
  [{ name: "Ada\u202egnp.exe" }, ["name"]],
  [{ name: "\u2067Ada\u2069" }, ["name"]],
  [{ name: "x".repeat(256) }, ["name"]],
  [{ avatar: 5 }, ["avatar"]],
  [{ avatar: "" }, ["avatar"]],
  [{ avatar: "users/avatar/\u0000" }, ["avatar"]],
  [{ avatar: "users/avatar/\ud800" }, ["avatar"]],
  [{ avatar: "products/image/2030/01/a.webp" }, ["avatar"]],
  [{ role: "owner", email: "eve@example.com" }, ["email", "role"]],
  [{ name: "", avatar: "", image: "" }, ["avatar", "image", "name"]],
])("refuses %j", async (body, expected) => {
  expect(paths(await patch(body))).toEqual(expected);
});

test("needs a token, and a body that is an object", async () => {
  expectRefusal(await client(server.url, null).patch("/auth/me", { name: "Eve" }), 401);
  expectRefusal(await device.caller.patch("/auth/me", []), 400);
  expectRefusal(await device.caller.send("PATCH", "/auth/me", { text: "" }), 400);
});
