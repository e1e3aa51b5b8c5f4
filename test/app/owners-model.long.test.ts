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

const generated = join(import.meta.dirname, "../../fixtures/apps/notes/generated");
const described: readonly Ruled[] = JSON.parse(
  readFileSync(join(generated, "descriptors.json"), "utf8"),
);
const roles = [null, null, "auditor", "editor", "owner"];

const values: { readonly [field: string]: readonly Json[] } = {
  title: ["tea", "coffee"],
  code: ["c0", "c1", "c2", "new", null],
  colour: ["red", "green", null],
  text: ["tea", "coffee"],
  body: ["long", null],
  done: [true, false, null],
  stars: [0, 1, 2, null],
  remark: ["tea", null],
  score: [0, 1, 2],
  label: ["tea", null],
  name: ["tea", "coffee"],
};

let app: RunningApp;
let world: RuledWorld;

beforeAll(async () => {
  app = await startApp("apps/notes");
  const callers = await Promise.all(
    roles.map(async (role) => {
      const one = client(app.url, await app.signIn(role));
      const { body } = await one.get<{ user: { id: string } }>("/auth/me");
      return { client: one, role, id: body.user.id };
    }),
  );
  world = { db: app.db, described, callers, values };
});
afterAll(() => app.close());

/** Two owners' records, some linked to by everybody's. */
async function fill(): Promise<void> {
  await app.db.query("delete from bookmarks");
  await app.db.query("delete from notebooks");
  for (const [at, { id }] of world.callers.slice(0, 3).entries()) {
    await app.db.query(
      `with book as (
        insert into notebooks (id, account_id, title, code, colour)
        values (gen_random_uuid(), $1, $2, $3, 'green') returning id
      ), note as (
        insert into notes (id, notebook_id, text, body, done, stars, remark, score)
        select gen_random_uuid(), id, text, 'long', text = 'tea', stars, text, stars
        from book, (values ('tea', $4::int), ('coffee', 2)) as given (text, stars) returning id
      ), attachment as (
        insert into attachments (id, note_id, name) select gen_random_uuid(), id, 'tea' from note
      )
      insert into bookmarks (id, note_id, label) select gen_random_uuid(), id, 'tea' from note`,
      [id, at === 1 ? "coffee" : "tea", `c${at}`, at],
    );
  }
}

test("no caller sees or changes more, or less, than the rules say", {
  timeout: 600_000,
}, async () => {
  const numbers = fc.array(fc.nat(1_000), { minLength: 24, maxLength: 24 });
  const requests = fc.array(numbers, { minLength: 30, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(requests, async (wishes) => {
      await fill();
      for (const wish of wishes) await tryRequest(world, dealer(wish));
    }),
    { numRuns: tries(60), endOnFailure: true },
  );
});
