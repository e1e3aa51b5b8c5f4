import { afterAll, beforeAll, expect, test } from "vitest";
import { notebooks } from "../../fixtures/apps/notes/generated/notebooks/table.js";
import type { CallersRead, Context } from "../../runtime/http/index.js";
import { listRecords } from "../../runtime/resource/index.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { type Client, client } from "../support/http/client.js";

let app: RunningApp;
/** Two owners without a role, one with a role that no rule names, and one who may read everything. */
let callers: Readonly<Record<"ada" | "bob" | "eve" | "auditor", Client>>;
let own: Readonly<Record<keyof typeof callers, number>>;

const counts = { ada: 300, bob: 2, eve: 30, auditor: 0 };

beforeAll(async () => {
  app = await startApp("apps/notes");
  const signIn = async (role: string | null) => client(app.url, await app.signIn(role));
  callers = {
    ada: await signIn(null),
    bob: await signIn(null),
    eve: await signIn("editor"),
    auditor: await signIn("auditor"),
  };
  for (const [name, one] of Object.entries(callers)) {
    const me = await one.get<{ user: { id: string } }>("/auth/me");
    await app.db.query(
      `insert into notebooks (id, account_id, title, colour)
       select gen_random_uuid(), $1, $2 || ' ' || n, (array['red', 'green'])[n % 2 + 1]
       from generate_series(1, $3::int) as n`,
      [me.body.user.id, name, counts[name as keyof typeof counts]],
    );
  }
  own = { ...counts, auditor: 332 };
});
afterAll(() => app.close());

const queries = ["", "?page=2", "?filter[colour]=red", "?q=ada", "?cursor=", "?fields=id,title"];

test.each(queries)(
  "every caller gets own records by %j, in any order of callers",
  async (query) => {
    const titles: Record<string, string> = {};
    const orders = [
      ["ada", "auditor", "bob", "eve"],
      ["auditor", "ada", "ada", "eve", "bob", "auditor"],
      ["eve", "eve", "bob", "auditor", "ada"],
    ] as const;
    for (const order of orders) {
      for (const name of order) {
        const { status, body, text } = await callers[name].list(`/notebooks${query}`);
        expect(status, text).toBe(200);
        if (name !== "auditor") {
          expect(body.data.filter(({ title }) => !String(title).startsWith(name))).toEqual([]);
        }
        if (query === "") expect(body.meta.total).toBe(own[name]);
        titles[name] ??= text;
        expect(text).toBe(titles[name]);
      }
    }
  },
);

test("a record of another owner is 404, and one's own is found, in any order of callers", async () => {
  const { body } = await callers.bob.list("/notebooks");
  const path = `/notebooks/${body.data[0]?.id}`;
  const expected = { ada: 404, bob: 200, eve: 404, auditor: 200 };
  for (const name of ["bob", "auditor", "bob", "eve", "ada", "auditor", "ada"] as const) {
    expect((await callers[name].get(path)).status, name).toBe(expected[name]);
  }
});

test("a list of own records is one statement, which includes the look-up of the token", () => {
  const context = { query: "", services: { config: {}, policies: {} } } as unknown as Context;
  const { ofNoRole } = listRecords(notebooks)(context) as CallersRead;
  expect(ofNoRole).toMatchObject({ cost: "index", depends: "caller" });
  expect(ofNoRole?.text).toContain("notebooks.account_id = _caller._account");
  expect(ofNoRole?.values).toEqual([]);
});

test("an ended session gets nothing from then on", async () => {
  const gone = client(app.url, await app.signIn(null));
  const me = await gone.get<{ user: { id: string } }>("/auth/me");
  expect((await gone.list("/notebooks")).status).toBe(200);
  await app.db.query("delete from service.sessions where user_id = $1", [me.body.user.id]);
  expect((await gone.list("/notebooks")).status).toBe(401);
});
