import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ImportRequest } from "../../runtime/data/index.js";
import { findDrift } from "../../runtime/migrate/index.js";
import { newSession } from "../support/accounts/accounts.js";
import type { End } from "../support/apps/importing-shop.js";
import { type SpelledApps, startSpelledApps } from "../support/apps/spelled-apps.js";
import { openTaskApp, usualImport } from "../support/apps/task-app.js";
import { expectedIn } from "../support/database/drift.js";
import type { Client } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";

/** `‹name›` at a field or resource stands for a name of its column or table, and is left out of the usual app. */
const written: readonly (readonly [string, string])[] = [
  [
    "teams.yaml",
    `‹table: 'Team "1" $1 \${x} \`b\` \\ {1} %I'›
trash: true
changes: { history: 30 }
owner: { link: id, through: members, founder: lead }
access: { read: [owner, admin], create: signed-in, update: owner, delete: owner }
fields:
  name: { type: string, required: true, unique: any-case‹, column: 'Name "of"'› }
  open: { type: boolean, required: true, default: false‹, column: select› }
`,
  ],
  [
    "members.yaml",
    `‹table: Участники›
trash: true
owner: { link: teamId, through: members }
access: { read: owner, create: owner.lead, update: owner.lead, delete: owner.lead }
fields:
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade‹, column: Team› }
  accountId: { type: belongsTo, resource: users, required: true, onDelete: cascade‹, column: "Konto des Mitglieds"› }
  role: { type: enum, values: [lead, member], required: true, default: member‹, column: "a__b"› }
unique: [[teamId, accountId]]
`,
  ],
  [
    "tasks.yaml",
    `‹table: "ORDER"›
trash: true
changes: { history: 30 }
owner: { link: teamId, through: members }
access:
  read: [owner, { who: signed-in, where: { shared: true, team: { open: true } } }]
  create: owner
  update: owner
  delete: owner
fields:
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade, inverse: tasks‹, column: "\\\\"› }
  title: { type: string, required: true‹, column: Title› }
  slug: { type: string, unique: true‹, column: "'"› }
  notes: { type: text‹, column: "日本語"› }
  shared: { type: boolean, required: true, default: false‹, column: TITLE› }
  state: { type: enum, values: [new, "do'ing", done], default: new‹, column: "$1"› }
  hours: { type: number, decimals: 2‹, column: "{1}"› }
  rate: { type: number, integer: true‹, column: "%s"› }
  cost: { type: number, computed: "round(hours * rate, 1)", decimals: 1, index: true }
  due: { type: date‹, column: "x;--"› }
  at: { type: timestamp‹, column: "é"› }
  parentId: { type: belongsTo, resource: tasks, inverse: parts‹, column: "title"› }
  blockerId: { type: belongsTo, resource: tasks, inverse: blocked‹, column: 'x\`y\${z}'› }
  paper: { type: file‹, column: Paper› }
unique: [[title, state, due]]
indexes: [[hours, -rate], [-at], [teamId, -createdAt]]
`,
  ],
  [
    "stamps.yaml",
    `‹table: ORDERS›
fields:
  taskId: { type: belongsTo, resource: tasks, required: true, inverse: stamps‹, column: ID› }
  text: { type: string, maxLength: 5000, unique: true‹, column: "${"ü".repeat(31)}a"› }
`,
  ],
];

let both: SpelledApps;
beforeAll(async () => {
  both = await startSpelledApps(written);
});
afterAll(() => both.close());

const query = (parameters: Readonly<Record<string, string>>) =>
  new URLSearchParams(parameters).toString();

test("the API is the same whatever the names of tables and columns", async () => {
  const all = await both.compare(async (app, say) => {
    const { client: ada, id: adaId } = await app.caller(null);
    const { client: bob, id: bobId } = await app.caller(null);
    const team = await say("team", ada.post("/teams", { name: "Tea" }));
    await say("taken", bob.post("/teams", { name: "TEA" }));
    const stream = await openEvents(
      app.url,
      await newSession(app.db, adaId),
      `/_service/changes?watch=${encodeURIComponent('{"tasks":true,"teams":true}')}`,
    );
    await stream.next();
    const values = { teamId: team.id, title: "One", slug: "one", notes: "long text", hours: 1.5 };
    const more = { rate: 3, due: "2077-01-02", at: "2077-01-02T03:04:05.678Z", state: "do'ing" };
    const task = await say("create", ada.post("/tasks", { ...values, ...more }));
    const event = await stream.next();
    await say("event", Promise.resolve({ status: 200, text: JSON.stringify(event.data) }));
    stream.close();
    await say("taken slug", ada.post("/tasks", { ...values, title: "Two" }));
    await say("taken together", ada.post("/tasks", { ...values, ...more, slug: "x" }));
    await say("unknown link", ada.post("/tasks", { ...values, slug: "y", parentId: team.id }));
    await say("not allowed", bob.post("/tasks", { ...values, slug: "z" }));
    await say("too long", ada.post("/tasks", { ...values, title: "x".repeat(300), at: "x" }));
    const part = { teamId: team.id, title: "Part", parentId: task.id, blockerId: task.id };
    await say("part", ada.post("/tasks", part));
    await say("patch", ada.patch(`/tasks/${task.id}`, { hours: { add: 1 }, shared: true }));
    await say("put", ada.put(`/tasks/${task.id}`, { ...values, ...more, shared: true }));
    await say("hidden", bob.get(`/tasks/${task.id}`));
    await say("open", ada.patch(`/teams/${team.id}`, { open: true }));
    await say("shown", bob.get(`/tasks/${task.id}`));
    await say("member", ada.post("/members", { teamId: team.id, accountId: bobId }));
    await say("again", ada.post("/members", { teamId: team.id, accountId: bobId }));
    await say("as member", bob.get(`/tasks/${task.id}`));
    await say("stamp", ada.post("/stamps", { taskId: task.id, text: "x".repeat(5000) }));
    await say("same stamp", ada.post("/stamps", { taskId: task.id, text: "x".repeat(5000) }));
    for (const name of ["slug", "state", "hours", "-rate", "cost", "-due", "at"]) {
      await say(
        `sort ${name}`,
        ada.get(`/tasks?${query({ sort: `${name},title`, perPage: "2" })}`),
      );
    }
    const filters: readonly (readonly [string, string])[] = [
      ["title", "One"],
      ["slug", "one"],
      ["shared", "true"],
      ["state", "do'ing"],
      ["hours", "1.5"],
      ["rate", "3"],
      ["cost", "4.5"],
      ["due", "2077-01-02"],
      ["at", "2077-01-02T03:04:05.678Z"],
      ["parentId", task.id],
      ["teamId", team.id],
    ];
    for (const [name, value] of filters) {
      await say(name, ada.get(`/tasks?${query({ [`filter[${name}]`]: value })}`));
    }
    const wheres = [
      { team: { name: "Tea" }, hours: { gte: 1 } },
      { parts: { some: { title: { starts: "pa" } } } },
      { parent: { slug: "one" }, not: { stamps: { some: {} } } },
      { slug: { contains: "ON" }, at: { lt: "2078-01-01T00:00:00Z" } },
    ];
    for (const where of wheres) {
      const text = JSON.stringify(where);
      await say(text, ada.get(`/tasks?${query({ where: text, sort: "title" })}`));
    }
    await say("q", ada.get(`/tasks?${query({ q: "on" })}`));
    await say(
      "include",
      ada.get(`/tasks?${query({ include: "team,parent,parts,stamps,blocked", sort: "title" })}`),
    );
    await say(
      "fields",
      ada.get(`/tasks?${query({ fields: "title,notes:3,cost", sort: "title" })}`),
    );
    const page = await say("page", ada.get("/tasks?sort=-hours&perPage=1&cursor="));
    await say(
      "next page",
      ada.get(`/tasks?${query({ sort: "-hours", perPage: "1", cursor: page.meta?.next ?? "" })}`),
    );
    for (const field of ["state", "shared"]) {
      await say(`stats ${field}`, ada.get(`/tasks/_stats?field=${field}`));
    }
    await say("stats at", ada.get("/tasks/_stats?at=due&series=day&field=state"));
    await say(
      "aggregate",
      ada.get("/tasks/_aggregate?by=state,team.name&sum=hours&max=cost&min=due&distinct=title"),
    );
    await say("in use", ada.delete(`/tasks/${task.id}`));
    const stamps = await say("stamps", ada.get("/stamps"));
    await say("unstamp", ada.delete(`/stamps/${stamps.data[0].id}`));
    await say("last lead", ada.delete(`/members/${(await firstMember(ada)).id}`));
    await say(
      "batch",
      ada.post("/_service/batch", {
        operations: [
          { create: "tasks", values: { teamId: team.id, title: "B" } },
          { create: "tasks", values: { teamId: team.id, title: "C", parentId: { ref: 0 } } },
          { update: "tasks", id: task.id, values: { title: "New" } },
        ],
      }),
    );
    await say("history", ada.get(`/tasks/${task.id}/_history`));
    const history = await say("team's history", ada.get(`/teams/${team.id}/_history`));
    await say("revert", ada.post(`/teams/${team.id}/_revert`, { to: history.data?.at(-1)?.id }));
    await say("delete", ada.delete(`/teams/${team.id}`));
    await say("deleted", ada.get("/tasks?sort=title"));
    await say("trash", ada.get("/tasks?trash=only&sort=title"));
    await say("trash of teams", ada.get("/teams?trash=only"));
    await say("restore", ada.post(`/teams/${team.id}/_restore`, undefined));
    await say("restored", ada.get("/tasks?sort=title&include=team"));
    await say("tally", ada.get("/tasks/_stats?field=state"));
    await say("delete again", ada.delete(`/tasks/${task.id}`));
    await say("purge", ada.delete(`/tasks/${task.id}?trash=skip`));
  });
  const refused = all
    .filter(([, status]) => status >= 400)
    .map(([label, status]) => [label, status]);
  expect(refused).toEqual([
    ["taken", 422],
    ["taken slug", 422],
    ["taken together", 422],
    ["unknown link", 422],
    ["not allowed", 422],
    ["too long", 422],
    ["hidden", 404],
    ["again", 422],
    ["same stamp", 422],
    ["in use", 409],
    ["last lead", 409],
  ]);
});

async function firstMember(client: Client): Promise<{ readonly id: string }> {
  const { body } = await client.list("/members?filter[role]=lead");
  return { id: String(body.data[0]?.id) };
}

test("imports are the same", async () => {
  const ends = await Promise.all(
    both.apps.map(async (app) => {
      const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
      const tasks = await openTaskApp({
        name: app.root,
        databaseUrl: app.config.database.url,
        make: () => createApp(),
      });
      const imported = async (resource: string, text: string, more: Partial<ImportRequest>) => {
        const path = join(app.root, "rows.csv");
        writeFileSync(path, text);
        const request = { ...usualImport, path, errors: `${path}.errors.csv`, ...more, resource };
        const end = await tasks.run<End>((events) => ({
          kind: "import",
          request: { ...request, events },
        }));
        return end.kind === "refused" ? end.message : { ...end.result, id: null };
      };
      const found = [
        await imported("teams", "name,open\nA,true\nB,false\na,true\n", { onError: "skip" }),
        await imported("tasks", "teamId,title,slug\nA,T1,t1\nB,T2,t2\nX,T3,t3\n", {
          onError: "skip",
          link: { teamId: "name" },
        }),
        await imported("tasks", "teamId,title,slug,hours\nA,T1,t1,3\nB,T2,t2,2\n", {
          upsert: "slug",
          link: { teamId: "name" },
        }),
      ];
      await tasks.close();
      return found;
    }),
  );
  expect(ends[1]).toEqual(ends[0]);
  expect(ends[0]).toMatchObject([
    { created: 2, refused: 1 },
    { created: 2, refused: 1 },
    { created: 0, updated: 2, refused: 0 },
  ]);
});

test("the database is as its migrations describe it", async () => {
  for (const { root, config } of both.apps) {
    const drift = await findDrift(config.database.url, expectedIn(root));
    expect(drift).toEqual({ differences: [], unmanaged: [] });
  }
});

test("the response of _service/resources names no table or column", () => {
  const [one, other] = both.apps.map(({ root }) =>
    readFileSync(join(root, "generated/descriptors.json"), "utf8"),
  );
  expect(other).toBe(one);
});
