import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { refusal } from "service-runtime/errors";
import type { HookContext } from "service-runtime/own-code";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { openDatabase } from "../../runtime/db/index.js";
import { withVariables } from "../support/processes/environment.js";

/** A file of the app. By its path: the compiler takes the types of one app's own routes only. */
async function ownFile(name: string) {
  const path = resolve(import.meta.dirname, "../../fixtures/apps/teams", name);
  return await import(pathToFileURL(path).href);
}
const testing: string = "service-cli/testing";
const { startTestApp } = await import(testing);
const { createApp } = await ownFile("generated/app.ts");
const { createClient } = await ownFile("generated/client.ts");
const { hooks: appHooks } = await ownFile("hooks.ts");
const { routes } = await ownFile("routes.ts");

interface Named {
  readonly name: string;
}
interface Teams {
  list(): Promise<{ data: readonly Named[] }>;
  get(id: string): Promise<Named>;
  update(id: string, changes: Named): Promise<Named>;
}
type Context = HookContext<{ readonly teams: Teams }>;

let before: (context: Context) => unknown = () => {};
const joined: unknown[] = [];
const hooks = {
  ...appHooks,
  memberships: {
    beforeCreate: async (_: object, context: Context) => void (await before(context)),
    afterCreate: ({ role }: { readonly role: string }, { caller }: Context) =>
      void joined.push([role, caller?.accountId]),
  },
};

const start = (): Promise<ReturnType<typeof startTestApp>> =>
  withVariables(
    { DATABASE_URL: inject("postgresUrl"), SHOP_STORAGE: "/nowhere", SERVICE_LOG_LEVEL: "silent" },
    () => startTestApp(() => createApp({ hooks, routes }), { createClient }),
  );
let app: Awaited<ReturnType<typeof start>>;
let lead: Awaited<ReturnType<typeof app.account>>;
let guest: Awaited<ReturnType<typeof app.account>>;
beforeAll(async () => {
  app = await start();
  [lead, guest] = await Promise.all([app.account({}), app.account({})]);
});
afterAll(() => app.stop());
afterEach(() => {
  before = () => {};
});

describe("the membership of a team's creator", () => {
  test("runs the hooks of memberships, with the caller", async () => {
    let seen: unknown;
    before = async ({ caller, resources }) => {
      seen = [caller?.accountId, (await resources.teams.list()).data.map(({ name }) => name)];
    };
    await app.app.db.query("truncate teams cascade");
    joined.length = 0;
    await lead.client.teams.create({ name: "Tea" });
    expect(seen).toEqual([lead.id, ["Tea"]]);
    await expect.poll(() => joined).toContainEqual(["lead", lead.id]);
  });

  test("rolls the team back if a hook refuses it", async () => {
    before = () => {
      throw refusal(409, "No more teams");
    };
    await expect(lead.client.teams.create({ name: "Refused" })).rejects.toMatchObject({
      status: 409,
      error: "No more teams",
    });
    expect(await app.app.resources.teams.count({ where: { name: "Refused" } })).toBe(0);
  });

  test("is created once in a batch whose hook was overtaken", async () => {
    await app.app.db.query("truncate teams cascade");
    const { id } = await app.app.resources.teams.create({ name: "Counted 0" });
    const create = (name: string) => ({ create: "teams", values: { name } });
    const [{ name }] = await app.app.db.query("select current_database() as name");
    const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${name}` }).href;
    const elsewhere = openDatabase({ url, poolSize: 1, prepare: true });
    for (const operations of [[create("First")], [create("Second"), create("Third")]]) {
      let isChanged = false;
      before = async ({ resources }) => {
        const { name } = await resources.teams.get(id);
        if (!isChanged) {
          isChanged = true;
          await elsewhere.query("update teams set name = 'Counted 5' where id = $1", [id]);
        }
        await resources.teams.update(id, { name: `Counted ${Number(name.slice(8)) + 1}` });
      };
      await lead.client.request("POST", "/_service/batch", { body: { operations } });
      const names = operations.map(({ values }) => values.name);
      const where = { userId: lead.id, role: "lead", team: { name: { in: names } } };
      expect(await app.app.resources.teams.count({ where: where.team })).toBe(names.length);
      expect(await app.app.resources.memberships.count({ where })).toBe(names.length);
      expect(await app.app.resources.teams.get(id)).toMatchObject({
        name: `Counted ${5 + operations.length}`,
      });
    }
    await elsewhere.close();
  });

  test("is not created without a caller", async () => {
    const team = await app.app.resources.teams.create({ name: "Nobody's" });
    expect(await app.app.resources.memberships.count({ where: { teamId: team.id } })).toBe(0);
  });

  test("is created for a caller that app code names", async () => {
    const caller = { accountId: guest.id, role: null, sessionId: null };
    const team = await app.app.resources.as(caller).teams.create({ name: "Given" });
    const { data } = await app.app.resources.memberships.list({ where: { teamId: team.id } });
    expect(data).toMatchObject([{ userId: guest.id, role: "lead" }]);
  });
});

describe("resources on behalf of a caller", () => {
  test("are those of the caller's teams", async () => {
    const as = (accountId: string) =>
      app.app.resources.as({ accountId, role: null, sessionId: null });
    const team = await as(lead.id).teams.create({ name: "Own" });
    const project = await as(lead.id).projects.create({ teamId: team.id, name: "Project" });
    expect(await as(guest.id).projects.get(project.id)).toBeNull();
    expect(await as(guest.id).projects.count({ where: { id: project.id } })).toBe(0);
    await expect(as(guest.id).projects.update(project.id, { name: "x" })).rejects.toMatchObject({
      status: 404,
    });
    const [first] = (await as(lead.id).memberships.list({ where: { teamId: team.id } })).data;
    const id = first?.id ?? "";
    // Without a caller no rule applies, but a team keeps its last lead.
    for (const resources of [as(lead.id), app.app.resources]) {
      await expect(resources.memberships.delete(id)).rejects.toMatchObject({ status: 409 });
    }
    await app.app.transaction(async ({ resources }: typeof app.app) => {
      await expect(resources.memberships.update(id, { role: "guest" })).rejects.toMatchObject({
        status: 409,
      });
    });
    await app.app.resources.teams.delete(team.id);
  });
});

test("an invited person joins with the code of the mail, once", async () => {
  const team = await lead.client.teams.create({ name: "Inviting" });
  const invitation = await lead.client.invitations.create({
    teamId: team.id,
    email: guest.email,
    role: "guest",
  });
  expect(Object.keys(invitation)).not.toContain("code");
  await expect(
    guest.client.invitations.create({ teamId: team.id, email: guest.email }),
  ).rejects.toMatchObject({ status: 422 });
  const mail = (await app.mails()).at(-1);
  expect(mail).toMatchObject({ to: [guest.email], subject: "You are invited" });
  const code = mail?.text.split(": ").at(-1)?.trim() ?? "";
  expect((await guest.client.teams.list({ where: { id: team.id } })).data).toEqual([]);
  const join = () => guest.client.request("POST", "/join", { body: { code } });
  const outcomes = await Promise.allSettled([join(), join()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await guest.client.teams.list({ where: { id: team.id } })).data).toHaveLength(1);
});

test("a member who is removed while a batch runs writes nothing after it", async () => {
  const team = await lead.client.teams.create({ name: "Short" });
  const project = await lead.client.projects.create({ teamId: team.id, name: "Project" });
  const { id: membership } = await lead.client.memberships.create({
    teamId: team.id,
    userId: guest.id,
    role: "lead",
  });
  const tasks = ["one", "two"].map((title) => ({
    create: "tasks",
    values: { projectId: project.id, title },
  }));
  const operations = [tasks[0], { delete: "memberships", id: membership }, tasks[1]];
  const send = (atomic: boolean) =>
    guest.client.request("POST", "/_service/batch", {
      body: { operations, atomic },
    });
  await expect(send(true)).rejects.toMatchObject({ status: 422 });
  expect(await app.app.resources.tasks.count({ where: { projectId: project.id } })).toBe(0);
  expect((await send(false)).errors).toMatchObject([{ index: 2, status: 422 }]);
  expect(await app.app.resources.tasks.count({ where: { projectId: project.id } })).toBe(1);
});

test("a team without members is visible to an admin alone", async () => {
  const { id } = await app.app.resources.teams.create({ name: "Empty" });
  const admin = await app.account({ role: "admin" });
  await expect(lead.client.teams.get(id)).rejects.toMatchObject({ status: 404 });
  expect(await admin.client.teams.get(id)).toMatchObject({ name: "Empty" });
  const created = admin.client.projects.create({ teamId: id, name: "x" });
  await expect(created).rejects.toMatchObject({ status: 422 });
});
