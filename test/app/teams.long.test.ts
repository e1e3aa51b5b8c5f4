import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { type Client, client, type Row } from "../support/http/client.js";

let app: RunningApp;
let admin: Client;
let lead: Client;
let member: Client;
let guest: Client;
/** Leads a team of their own. */
let stranger: Client;
const ids = new Map<Client, string>();
let team: Row;
let project: Row;
let task: Row;
let foreignTeam: Row;
let foreignProject: Row;
let foreignTask: Row;

const nowhere = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  app = await startApp("apps/teams");
  admin = client(app.url, app.token);
  [lead, member, guest, stranger] = (await Promise.all(
    Array.from({ length: 4 }, () => newAccount()),
  )) as [Client, Client, Client, Client];
  team = await created(lead, "teams", { name: "Tea" });
  await join(team, member, "member");
  await join(team, guest, "guest");
  project = await created(lead, "projects", { teamId: team.id, name: "Harvest" });
  task = await created(member, "tasks", { projectId: project.id, title: "pick", hours: 2 });
  await created(lead, "tasks", { projectId: project.id, title: "dry", state: "done", hours: 3 });
  foreignTeam = await created(stranger, "teams", { name: "Coffee" });
  foreignProject = await created(stranger, "projects", { teamId: foreignTeam.id, name: "Roast" });
  foreignTask = await created(stranger, "tasks", { projectId: foreignProject.id, title: "roast" });
});
afterAll(() => app.close());

async function newAccount(): Promise<Client> {
  const one = client(app.url, await app.signIn(null));
  const { body } = await one.get<{ user: { id: string } }>("/auth/me");
  ids.set(one, body.user.id);
  return one;
}

function join(of: Row, account: Client, role: string, by = lead): Promise<Row> {
  return created(by, "memberships", { teamId: of.id, userId: ids.get(account), role });
}

async function membershipOf(account: Client, of: Row = team): Promise<string> {
  const where = { teamId: of.id, userId: ids.get(account) };
  const { body } = await admin.post<{ data: Row[] }>("/memberships/_query", { where });
  return String(body.data[0]?.id);
}

async function titles(caller: Client, query = ""): Promise<unknown[]> {
  const { status, text, body } = await caller.list(`/tasks?sort=title${query}`);
  expect(status, text).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map((row) => row.title);
}

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

describe("the creator of a team", () => {
  test("leads it", async () => {
    const { body } = await lead.list("/memberships?sort=role");
    expect(body.data.map(({ role }) => role)).toEqual(["lead", "member", "guest"]);
    expect(await membershipOf(lead)).not.toBe("undefined");
  });

  test("leads it in a batch too, if the next operation needs that", async () => {
    const founder = await newAccount();
    const { status, text } = await founder.post("/_service/batch", {
      operations: [
        { create: "teams", values: { name: "Cocoa" } },
        { create: "projects", values: { teamId: { ref: 0 }, name: "Grind" } },
        { create: "tasks", values: { projectId: { ref: 1 }, title: "grind" } },
      ],
    });
    expect(status, text).toBe(200);
    expect(await titles(founder)).toEqual(["grind"]);
  });

  test("gets no membership if the team is not stored", async () => {
    const before = await app.db.query("select from memberships");
    expect(paths(await lead.post("/teams", { name: "" }))).toEqual(["name"]);
    expect(await app.db.query("select from memberships")).toHaveLength(before.length);
  });
});

describe("reading", () => {
  test("shows members, and only them, the records of their teams", async () => {
    for (const one of [lead, member, guest]) expect(await titles(one)).toEqual(["dry", "pick"]);
    expect(await titles(stranger)).toEqual(["roast"]);
    expect(await titles(await newAccount())).toEqual([]);
    expect(await titles(admin)).toContain("roast");
    expect(await titles(member, "&filter[state]=done")).toEqual(["dry"]);
    expect(await titles(member, "&q=roa")).toEqual([]);
    expect(await titles(member, "&page=2&perPage=2").catch(() => [])).toEqual([]);
  });

  test("finds no record of another team", async () => {
    for (const path of [
      `/teams/${foreignTeam.id}`,
      `/projects/${foreignProject.id}`,
      `/tasks/${foreignTask.id}`,
    ]) {
      expectRefusal(await member.get(path), 404);
      expectRefusal(await member.get(`${path}?fields=id`), 404);
      expectRefusal(await lead.patch(path, { name: "mine", title: "mine" }), 404);
      expectRefusal(await lead.patch(path, {}), 404);
      expectRefusal(await lead.delete(path), 404);
      expect((await stranger.get(path)).status).toBe(200);
    }
  });

  test("counts and adds up the records of the caller's teams", async () => {
    const stats = await member.get("/tasks/_stats?field=state&series=day");
    expect(stats.body).toMatchObject({ total: 2, current: 2, values: { open: 1, done: 1 } });
    const sums = await member.get("/tasks/_aggregate?sum=hours&by=projectId");
    expect(sums.body).toMatchObject({
      data: [{ by: { projectId: project.id }, count: 2, sum: { hours: 5 } }],
    });
    expect((await stranger.get("/tasks/_aggregate?sum=hours")).body).toMatchObject({
      data: [{ count: 1, sum: { hours: 0 } }],
    });
  });

  test("includes and compares only records that the caller sees", async () => {
    const { body } = await member.list("/projects?include=tasks,team");
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      tasks: { data: [{ title: "pick" }, { title: "dry" }], more: false },
      team: { name: "Tea" },
    });
    const where = json({ tasks: { some: { title: "roast" } } });
    expect((await member.list(`/projects?where=${where}`)).body.data).toEqual([]);
    expect((await admin.list(`/projects?where=${where}`)).body.data).toHaveLength(1);
  });

  test("walks the records of all own teams by cursor", async () => {
    const both = await newAccount();
    await join(team, both, "guest");
    await join(foreignTeam, both, "member", stranger);
    const seen: unknown[] = [];
    let next: string | null = "";
    while (next !== null) {
      const { body } = (await both.get(
        `/tasks?perPage=1&sort=title&cursor=${encodeURIComponent(next)}`,
      )) as { body: { data: Row[]; meta: { next: string | null } } };
      seen.push(...body.data.map((row) => row.title));
      next = body.meta.next;
    }
    expect(seen).toEqual(["dry", "pick", "roast"]);
    expect((await both.list("/projects?sort=name")).body.meta.total).toBe(2);
  });
});

describe("writing", () => {
  test("needs the role that the rule names", async () => {
    expectRefusal(await guest.patch(`/tasks/${task.id}`, { title: "x" }), 404);
    expectRefusal(await member.patch(`/projects/${project.id}`, { name: "x" }), 404);
    expectRefusal(await member.patch(`/teams/${team.id}`, { name: "x" }), 404);
    expectRefusal(await member.delete(`/teams/${team.id}`), 404);
    expect((await member.patch(`/tasks/${task.id}`, { hours: 4 })).body.hours).toBe(4);
    expect((await lead.patch(`/teams/${team.id}`, { colour: "green" })).status).toBe(200);
    const whole = await member.put(`/tasks/${task.id}`, { title: "pick", state: "open" });
    expect(whole.body).toMatchObject({ projectId: project.id, title: "pick", hours: null });
  });

  test("creates only in the caller's groups", async () => {
    for (const [caller, projectId] of [
      [member, foreignProject.id],
      [guest, project.id],
      [member, nowhere],
    ] as const) {
      const refused = await caller.post("/tasks", { projectId, title: "x" });
      expect(refused.body).toEqual({
        error: expect.any(String),
        issues: [{ path: "projectId", message: "No such record" }],
      });
    }
    expect(paths(await member.post("/projects", { teamId: team.id, name: "x" }))).toEqual([
      "teamId",
    ]);
    expect(paths(await lead.post("/projects", { name: "x" }))).toEqual(["teamId"]);
    expect((await guest.post("/comments", { taskId: task.id, text: "hm" })).status).toBe(201);
    expect(paths(await guest.post("/comments", { taskId: foreignTask.id, text: "x" }))).toEqual([
      "taskId",
    ]);
  });

  test("moves a record only between groups in which the caller has the rule", async () => {
    const second = await created(member, "teams", { name: "Second" });
    const mine = await created(member, "projects", { teamId: second.id, name: "Mine" });
    const moved = await member.patch(`/tasks/${task.id}`, { projectId: mine.id });
    expect(moved.status, moved.text).toBe(200);
    expectRefusal(await lead.get(`/tasks/${task.id}`), 404);
    expect((await member.patch(`/tasks/${task.id}`, { projectId: project.id })).status).toBe(200);
    expect(
      paths(await member.patch(`/tasks/${task.id}`, { projectId: foreignProject.id })),
    ).toEqual(["projectId"]);
    // A member here, a lead there.
    expectRefusal(await member.patch(`/projects/${project.id}`, { teamId: second.id }), 404);
    expect(paths(await member.patch(`/projects/${mine.id}`, { teamId: team.id }))).toEqual([
      "teamId",
    ]);
    await member.delete(`/teams/${second.id}`);
  });

  test("applies memberships from the next statement on", async () => {
    const short = await newAccount();
    const { id } = await join(team, short, "member");
    expect(await titles(short)).toEqual(["dry", "pick"]);
    expect((await lead.patch(`/memberships/${id}`, { role: "guest" })).status).toBe(200);
    expectRefusal(await short.patch(`/tasks/${task.id}`, { hours: 1 }), 404);
    expect((await lead.delete(`/memberships/${id}`)).status).toBe(204);
    expect(await titles(short)).toEqual([]);
  });

  test("lists the caller's rights, and the owner of the records", async () => {
    interface Described {
      readonly name: string;
      readonly owner: unknown;
      readonly can: object;
    }
    const { body } = await member.get<{ data: Described[] }>("/_service/resources");
    const found = (name: string) => body.data.find((one) => one.name === name);
    const own = { list: "own", get: "own", stats: "own", update: "own", delete: "own" };
    expect(found("tasks")?.can).toEqual({ ...own, create: "own" });
    expect(found("teams")?.can).toEqual({ ...own, create: true });
    expect(found("tasks")?.owner).toEqual({
      link: "projectId.teamId",
      through: "memberships",
      group: "teamId",
      account: "userId",
      role: "role",
    });
    expect(found("teams")?.owner).toMatchObject({ link: "id", founder: "lead" });
  });
});

describe("the last lead", () => {
  test("can be neither removed nor demoted nor moved while the team exists", async () => {
    const id = await membershipOf(lead);
    for (const refused of [
      await lead.delete(`/memberships/${id}`),
      await lead.patch(`/memberships/${id}`, { role: "member" }),
      await lead.put(`/memberships/${id}`, {
        teamId: team.id,
        userId: ids.get(lead),
        role: "guest",
      }),
    ]) {
      expectRefusal(refused, 409);
      expect(refused.body).toEqual({ error: 'A team cannot lose its last "lead"' });
    }
    const other = await created(lead, "teams", { name: "Other" });
    expectRefusal(await lead.delete(`/memberships/${await membershipOf(lead, other)}`), 409);
    const batch = { operations: [{ delete: "memberships", id }] };
    expectRefusal(await lead.post("/_service/batch", batch), 409, ["index"]);
    await join(team, stranger, "lead");
    const moved = await lead.patch(`/memberships/${id}`, { role: "member" });
    expect(moved.status, moved.text).toBe(200);
    expect((await stranger.patch(`/memberships/${id}`, { role: "lead" })).status).toBe(200);
    expect((await lead.delete(`/memberships/${await membershipOf(stranger)}`)).status).toBe(204);
    expect((await lead.delete(`/teams/${other.id}`)).status).toBe(204);
  });

  test("may hand over and change everything else", async () => {
    const id = await membershipOf(lead);
    const kept = await lead.patch(`/memberships/${id}`, { role: "lead" });
    expect(kept.status, kept.text).toBe(200);
    const heir = await newAccount();
    const given = await lead.patch(`/memberships/${id}`, { userId: ids.get(heir) });
    expect(given.status, given.text).toBe(200);
    expect((await heir.patch(`/memberships/${id}`, { userId: ids.get(lead) })).status).toBe(200);
  });

  test("stays when two leads remove each other at once", async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await newAccount(), await newAccount()];
      const shared = await created(one, "teams", { name: "Shared" });
      const second = await join(shared, two, "lead", one);
      const first = await membershipOf(one, shared);
      const replies = await Promise.all([
        one.delete(`/memberships/${second.id}`),
        round % 2 === 0
          ? two.delete(`/memberships/${first}`)
          : two.patch(`/memberships/${first}`, { role: "member" }),
      ]);
      const left = await app.db.query(
        "select from memberships where team_id = $1 and role = 'lead'",
        [shared.id],
      );
      expect(left.length, JSON.stringify(replies.map(({ status }) => status))).toBe(1);
      const done = replies.filter(({ status }) => status < 300);
      expect(done).toHaveLength(1);
      for (const { status } of replies) expect([200, 204, 404, 409]).toContain(status);
    }
  });

  test("keeps the account", async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const held = await created(one, "teams", { name: "Held" });
    const refused = await admin.delete(`/_service/accounts/${ids.get(one)}`);
    expectRefusal(refused, 409);
    await join(held, two, "lead", one);
    const replies = await Promise.all(
      [one, two].map((each) => admin.delete(`/_service/accounts/${ids.get(each)}`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
  });
});

test("totals of own links come from stored counts, and are exact", async () => {
  const [row] = await app.db.query<{ total: number }>(
    "select sum(total)::int as total from service.owner_counts where table_name = 'projects' and owner = $1",
    [team.id],
  );
  const total = async () => (await member.list("/projects?perPage=1")).body.meta.total;
  expect(await total()).toBe(row?.total);
  await app.db.query(
    "update service.owner_counts set total = total + 5 where table_name = 'projects' and owner = $1",
    [team.id],
  );
  expect(await total()).toBe(Number(row?.total) + 5);
  await app.db.query("call service.recount('projects')");
  expect(await app.db.query("select * from service.wrong_counts()")).toEqual([]);
});
