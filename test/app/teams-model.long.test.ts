import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { client, type Json } from "../support/http/client.js";
import type { Ruled } from "../support/rights/model.js";
import { dealer, type RuledWorld } from "../support/rights/request.js";
import { tryRequest } from "../support/rights/requests.js";
import { tries } from "../support/searches.js";

const generated = join(import.meta.dirname, "../../fixtures/apps/teams/generated");
const described: readonly Ruled[] = JSON.parse(
  readFileSync(join(generated, "descriptors.json"), "utf8"),
);

const values: { readonly [field: string]: readonly Json[] } = {
  name: ["tea", "coffee"],
  colour: ["red", "green", null],
  role: ["lead", "member", "guest"],
  title: ["tea", "coffee"],
  state: ["open", "done"],
  hours: [0, 1, 2, null],
  due: ["2026-01-31", null],
  text: ["tea", "coffee"],
  email: ["a@example.com"],
  code: ["c1", "c2"],
};

let app: RunningApp;
let world: RuledWorld;

beforeAll(async () => {
  app = await startApp("apps/teams");
  const callers = await Promise.all(
    [null, null, null, "admin", "owner.lead"].map(async (role) => {
      const one = client(app.url, await app.signIn(role));
      const { body } = await one.get<{ user: { id: string } }>("/auth/me");
      return { client: one, role, id: body.user.id };
    }),
  );
  world = { db: app.db, described, callers, values };
});
afterAll(() => app.close());

/**
 * Two teams. The first caller leads both, the second is a member of one and a guest of the other, the third leads the
 * second one; the others belong to none.
 */
async function fill(): Promise<void> {
  const [one, two, three] = world.callers.map(({ id }) => id);
  await app.db.query("delete from teams");
  for (const [name, members] of [
    ["tea", { lead: [one], member: [two], guest: [] }],
    ["coffee", { lead: [one, three], member: [], guest: [two] }],
  ] as const) {
    await app.db.query(
      `with team as (
        insert into teams (id, name) values (gen_random_uuid(), $1) returning id
      ), membership as (
        insert into memberships (id, team_id, user_id, role)
        select gen_random_uuid(), team.id, account::uuid, role
        from team, jsonb_each($2) as given (role, accounts), jsonb_array_elements_text(accounts) as account
      ), invitation as (
        insert into invitations (id, team_id, email, code)
        select gen_random_uuid(), id, 'a@example.com', $1 from team
      ), project as (
        insert into projects (id, team_id, name)
        select gen_random_uuid(), id, given from team, unnest(array['tea', 'coffee']) as given returning id, name
      ), file as (
        insert into files (id, project_id, name) select gen_random_uuid(), id, 'tea' from project
      ), task as (
        insert into tasks (id, project_id, title, hours)
        select gen_random_uuid(), id, name, 1 from project returning id
      )
      insert into comments (id, task_id, text) select gen_random_uuid(), id, 'tea' from task`,
      [name, JSON.stringify(members)],
    );
  }
}

test("members see and change no more, or less, than the rules say", {
  timeout: 600_000,
}, async () => {
  const numbers = fc.array(fc.nat(1_000), { minLength: 24, maxLength: 24 });
  const requests = fc.array(numbers, { minLength: 30, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(requests, async (wishes) => {
      await fill();
      for (const wish of wishes) await tryRequest(world, dealer(wish));
    }),
    { numRuns: tries(40), endOnFailure: true },
  );
});
