import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type Client, client, type Row } from "../support/http/client.js";

// Teams where the app has a sign-in of its own: memberships name accounts by texts. A token is `<account>` in base64url.

const descriptors = new Map([
  [
    "teams.yaml",
    `owner: { link: id, through: memberships, account: member, founder: lead }
access: { read: owner, create: signed-in, update: owner.lead, delete: owner.lead }
fields:
  name: { type: string, required: true }
`,
  ],
  [
    "memberships.yaml",
    `owner: { link: teamId, through: memberships, account: member }
access: { read: owner, write: owner.lead }
unique: [[teamId, member]]
fields:
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade }
  member: { type: string, required: true, maxLength: 40 }
  role: { type: enum, values: [lead, member], required: true, default: member }
`,
  ],
  [
    "notes.yaml",
    `owner: { link: teamId, through: memberships, account: member }
access: { read: owner, create: owner, update: owner, delete: owner.lead }
fields:
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade }
  title: { type: string, required: true }
  stars: { type: number, integer: true }
`,
  ],
  [
    "pages.yaml",
    `owner: { link: noteId.teamId, through: memberships, account: member }
access: { read: owner, write: owner }
fields:
  noteId: { type: belongsTo, resource: notes, required: true, onDelete: cascade, inverse: pages }
  text: { type: string }
`,
  ],
]);

const settings = "auth: { enabled: false }\nserver: { host: 127.0.0.1 }\n";
const ids = { ada: "auth0|ada", bob: "user_2b'; drop table notes --", eve: "eve" };
/** Of tokens that say nothing themselves. */
const accounts = new Map<string, string>();
const nowhere = "00000000-0000-4000-8000-000000000000";

let app: WrittenApp;
let ada: Client;
let bob: Client;
let eve: Client;
let team: Row;
let note: Row;
let foreignTeam: Row;
let foreignNote: Row;

const as = (account: string) => client(app.url, Buffer.from(account).toString("base64url"));

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors,
    settings,
    options: {
      authenticate: async (request) => {
        const token = request.headers.authorization?.split(" ")[1];
        if (token === undefined) return null;
        const accountId = accounts.get(token) ?? Buffer.from(token, "base64url").toString();
        return { accountId, role: null, sessionId: null };
      },
    },
  });
  [ada, bob, eve] = [as(ids.ada), as(ids.bob), as(ids.eve)];
  team = await created(ada, "teams", { name: "Tea" });
  await created(ada, "memberships", { teamId: team.id, member: ids.bob });
  note = await created(ada, "notes", { teamId: team.id, title: "pick", stars: 2 });
  await created(bob, "notes", { teamId: team.id, title: "dry", stars: 3 });
  foreignTeam = await created(eve, "teams", { name: "Coffee" });
  foreignNote = await created(eve, "notes", { teamId: foreignTeam.id, title: "roast", stars: 5 });
});
afterAll(() => app.close());

async function titles(caller: Client, query = ""): Promise<unknown[]> {
  const { status, text, body } = await caller.list(`/notes?sort=title${query}`);
  expect(status, text).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map((row) => row.title);
}

describe("a team of callers whom `authenticate` names", () => {
  test("has its creator as the founder", async () => {
    const { body } = await ada.list("/memberships?sort=role");
    expect(body.data.map(({ member, role }) => [member, role])).toEqual([
      [ids.ada, "lead"],
      [ids.bob, "member"],
    ]);
  });

  test("shows its records and their counts to its members only", async () => {
    for (const one of [ada, bob]) {
      expect(await titles(one)).toEqual(["dry", "pick"]);
      expect(await titles(one, "&filter[stars][gte]=3")).toEqual(["dry"]);
      expect((await one.get("/notes/_stats")).body).toMatchObject({ total: 2 });
      const sums = await one.get("/notes/_aggregate?sum=stars");
      expect(sums.body).toMatchObject({ data: [{ count: 2, sum: { stars: 5 } }] });
      expect((await one.get(`/notes/${note.id}`)).status).toBe(200);
      expectRefusal(await one.get(`/notes/${foreignNote.id}`), 404);
    }
    expect(await titles(eve)).toEqual(["roast"]);
    expect(await titles(as("nobody"))).toEqual([]);
  });

  test("is where its members create records, also at the end of a path", async () => {
    for (const teamId of [foreignTeam.id, nowhere]) {
      expect(paths(await bob.post("/notes", { teamId, title: "x" }))).toEqual(["teamId"]);
    }
    const page = await created(bob, "pages", { noteId: note.id, text: "one" });
    expect((await ada.list("/pages")).body.data).toEqual([page]);
    expect((await eve.list("/pages")).body.data).toEqual([]);
    for (const noteId of [foreignNote.id, nowhere]) {
      expect(paths(await bob.post("/pages", { noteId }))).toEqual(["noteId"]);
    }
  });

  test("lets roles decide who changes what", async () => {
    expect((await bob.patch(`/notes/${note.id}`, { stars: 2 })).status).toBe(200);
    expect(paths(await bob.patch(`/notes/${note.id}`, { teamId: foreignTeam.id }))).toEqual([
      "teamId",
    ]);
    expectRefusal(await bob.delete(`/notes/${note.id}`), 404);
    expectRefusal(await bob.patch(`/teams/${team.id}`, { name: "Mine" }), 404);
    expect((await ada.patch(`/teams/${team.id}`, { name: "Tea" })).status).toBe(200);
    const invited = { teamId: team.id, member: ids.eve };
    expect(paths(await bob.post("/memberships", invited))).toEqual(["teamId"]);
  });

  test("admits members whom its lead adds, until the lead removes them", async () => {
    const joined = await created(ada, "memberships", { teamId: team.id, member: ids.eve });
    expect(await titles(eve)).toEqual(["dry", "pick", "roast"]);
    expect((await ada.delete(`/memberships/${joined.id}`)).status).toBe(204);
    expect(await titles(eve)).toEqual(["roast"]);
  });

  test("keeps its last founder", async () => {
    const { body } = await ada.list("/memberships?filter[role]=lead");
    const [own] = body.data;
    expectRefusal(await ada.delete(`/memberships/${own?.id}`), 409);
    expectRefusal(await ada.patch(`/memberships/${own?.id}`, { role: "member" }), 409);
  });
});

test("an account whose name memberships cannot store founds no team, and gets the reason", async () => {
  const reply = await as("a".repeat(41)).post("/teams", { name: "Milk" });
  expectRefusal(reply, 409);
  expect(reply.body).toEqual({
    error: 'You cannot be its first member: "member": At most 40 characters',
  });
});

// PostgreSQL could not compare the one, and would take half a character for any other.
test.each(["a\u0000b", "a\ud800"])("the account %j is refused with 401", async (account) => {
  accounts.set("odd", account);
  for (const path of ["/notes", "/pages/_aggregate?by=note.title", "/teams"]) {
    expectRefusal(await client(app.url, "odd").get(path), 401);
  }
});

test("an index finds the groups of an account", async () => {
  const found = await app.db.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where tablename = 'memberships'",
  );
  const all = found.map(({ indexdef }) => indexdef).join("\n");
  expect(all).toMatch(/\(member, team_id, role\)$/m);
});
