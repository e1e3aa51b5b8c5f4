import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDrift } from "../../runtime/migrate/index.js";
import type { HookContext } from "../../runtime/own-code/index.js";
import { type SpelledApps, startSpelledApps } from "../support/apps/spelled-apps.js";
import { expectedIn } from "../support/database/drift.js";
import { download } from "../support/storage/files.js";
import { uploaded } from "../support/storage/stored.js";

/** Names of the package's own columns, of its variables, with slashes, signs of formats and ends of quotations. */
const written: readonly (readonly [string, string])[] = [
  [
    "labels.yaml",
    `‹table: 'Метки/1 ""; %s $body$'›
trash: true
changes: { history: 30 }
fields:
  name: { type: string, required: true, unique: true‹, column: "Имя $body$ /* lock */"› }
  rank: { type: number, default: 1‹, column: createdAt› }
`,
  ],
  [
    "users-of-shop.yaml",
    `‹table: users›
trash: true
singular: User of shop
fields:
  name: { type: string, required: true‹, column: "name/"› }
  leadId: { type: belongsTo, resource: users-of-shop, inverse: others‹, column: Id› }
`,
  ],
  [
    "tasks.yaml",
    `‹table: 'or/d''er \${t}'›
trash: true
changes: { history: 30 }
search: { language: tongue, fields: { title: A, notes: B, lead.name: C, tags: D, state: D }, accents: ignore }
access: { delete: { who: signed-in, where: { tags: { has: open } } } }
fields:
  title: { type: string, required: true‹, column: added› }
  notes: { type: text‹, column: vector› }
  state: { type: enum, values: [new, done], default: new‹, column: tg_op› }
  tongue: { type: enum, values: [english, german], default: english‹, column: "Язык"› }
  tags: { type: string, list: true, index: true, distinct: true‹, column: "position"› }
  sizes: { type: number, list: true‹, column: "sizes $1"› }
  labelIds: { type: links, resource: labels, inverse: tasks‹, column: changed› }
  partIds: { type: links, resource: tasks, as: parts, onDelete: refuse‹, column: 'Части "x"'› }
  photos: { type: image, list: true‹, column: target_id› }
  papers: { type: file, list: true, private: true‹, column: 'record_id \\'› }
  facts: { type: json, index: true‹, column: "{facts}"› }
  leadId: { type: belongsTo, resource: users-of-shop, inverse: tasks‹, column: order› }
  size: { type: number, decimals: 1, default: 0‹, column: fields› }
  grade: { type: string, computed: "case when size > 1 then 'big' else title end", index: true }
`,
  ],
  [
    "stamps.yaml",
    `‹table: "old_rows"›
trash: true
fields:
  taskId: { type: belongsTo, resource: tasks, required: true, onDelete: cascade, inverse: stamps‹, column: "task/id"› }
`,
  ],
];

const hooks = {
  tasks: {
    beforeCreate: async (values: { readonly title?: string }, context: HookContext<never>) => {
      if (values.title !== "by a hook") return undefined;
      const { labels } = context.resources as unknown as Clients;
      const label = await labels.create({ name: "made" });
      const found = await labels.list({ where: { rank: 1, name: { starts: "ma" } } });
      const changed = await labels.update(label.id, ({ rank }) => ({ rank: (rank ?? 0) + 4 }));
      expect(await labels.count({ where: { rank: { gte: 5 } } })).toBe(1);
      return { ...values, labelIds: [changed.id], sizes: [found.data.length] };
    },
  },
};

interface Label {
  readonly id: string;
  readonly rank: number | null;
}

interface Clients {
  readonly labels: {
    create(values: object): Promise<Label>;
    list(query: object): Promise<{ readonly data: readonly Label[] }>;
    update(id: string, change: (label: Label) => object): Promise<Label>;
    count(query: object): Promise<number>;
  };
}

let both: SpelledApps;
beforeAll(async () => {
  both = await startSpelledApps(written, { options: { hooks: hooks as never } });
});
afterAll(() => both.close());

const query = (parameters: Readonly<Record<string, string>>) =>
  new URLSearchParams(parameters).toString();

test("lists, links, galleries, JSON, search and app code are the same whatever the names", async () => {
  const all = await both.compare(async (app, say) => {
    const { client: ada } = await app.caller(null);
    const red = await say("red", ada.post("/labels", { name: "red" }));
    const blue = await say("blue", ada.post("/labels", { name: "blue" }));
    await say("taken", ada.post("/labels", { name: "red" }));
    const lead = await say("lead", ada.post("/users-of-shop", { name: "Zoë Hopper" }));
    const other = await say("other", ada.post("/users-of-shop", { name: "B", leadId: lead.id }));
    const photo = await uploaded(ada, "tasks/photos", "a.png");
    const paper = await uploaded(ada, "tasks/papers");
    const values = {
      ...{ title: "Running bär", notes: "of the foxes", tags: ["open", "a'b"], sizes: [1, 2.5] },
      ...{ labelIds: [blue.id, red.id], photos: [photo.key], papers: [paper.key], size: 2 },
      ...{ facts: { city: "Oslo", lines: [1, 2] }, leadId: other.id, tongue: "german" },
    };
    const task = await say("task", ada.post("/tasks", values));
    const shown = await ada.get<{ papersFiles: { url: string }[] }>(`/tasks/${task.id}`);
    const { status } = await download(app.url, shown.body.papersFiles[0]?.url ?? "");
    await say("private file", Promise.resolve({ status, text: "" }));
    const part = await say(
      "part",
      ada.post("/tasks", { title: "Part", partIds: [task.id], tags: ["b"] }),
    );
    await say("by a hook", ada.post("/tasks", { title: "by a hook" }));
    await say("unknown label", ada.post("/tasks", { ...values, labelIds: [task.id] }));
    await say("repeated tag", ada.post("/tasks", { ...values, tags: ["x", "x"] }));
    await say("add", ada.patch(`/tasks/${task.id}`, { tags: { add: ["c"], remove: ["a'b"] } }));
    await say("unlink", ada.patch(`/tasks/${task.id}`, { labelIds: { remove: [blue.id] } }));
    await say("link", ada.patch(`/tasks/${task.id}`, { labelIds: { add: [blue.id] } }));
    await say("numbers", ada.patch(`/tasks/${task.id}`, { sizes: { add: [3] } }));
    for (const where of [
      { tags: { has: "c" } },
      { tags: { hasAny: ["b", "c"] }, sizes: { has: 3 } },
      { labels: { some: { name: "red" } } },
      { labels: { none: { name: "red" } } },
      { parts: { some: { tags: { has: "open" } } } },
      { facts: { at: "city", eq: "Oslo" } },
      { lead: { lead: { name: "Zoë Hopper" } } },
      { grade: "big" },
    ]) {
      const text = JSON.stringify(where);
      await say(text, ada.get(`/tasks?${query({ where: text, sort: "title" })}`));
    }
    await say("labelled", ada.get(`/tasks?${query({ "filter[labelIds]": blue.id })}`));
    for (const search of [
      "running",
      "läuft or foxes",
      "zoe",
      "bar",
      '"of the"',
      "par",
      "open -c",
    ]) {
      const highlight = "title,notes";
      await say(`search ${search}`, ada.get(`/tasks?${query({ search, highlight })}`));
    }
    await say("q", ada.get(`/tasks?${query({ q: "bär", sort: "-grade" })}`));
    await say("renamed lead", ada.patch(`/users-of-shop/${other.id}`, { name: "Turing" }));
    await say("its words", ada.get(`/tasks?${query({ search: "turing" })}`));
    const include = "labels,parts,lead";
    await say("include", ada.get(`/tasks?${query({ include, sort: "title" })}`));
    await say("inverse", ada.get(`/labels?${query({ include: "tasks", sort: "name" })}`));
    await say("aggregate", ada.get("/tasks/_aggregate?by=state,lead.name&sum=size&distinct=title"));
    await say("stats", ada.get("/tasks/_stats?field=state"));
    await say("with photos", ada.get("/tasks?filter[photos][ne]="));
    await say("kept by a list", ada.delete(`/tasks/${task.id}`));
    await say("delete a label", ada.delete(`/labels/${red.id}`));
    await say("without it", ada.get(`/tasks/${task.id}`));
    await say("restore it", ada.post(`/labels/${red.id}/_restore`, undefined));
    await say("with it", ada.get(`/tasks/${task.id}`));
    await say("not open", ada.delete(`/tasks/${part.id}`));
    await say("open", ada.patch(`/tasks/${part.id}`, { tags: { add: ["open"] } }));
    await say("stamp", ada.post("/stamps", { taskId: part.id }));
    await say("delete the part", ada.delete(`/tasks/${part.id}`));
    await say("stamps in the trash", ada.get("/stamps?trash=only"));
    await say("restore the part", ada.post(`/tasks/${part.id}/_restore`, undefined));
    await say("restored stamps", ada.get("/stamps?include=task"));
    await say("delete it again", ada.delete(`/tasks/${part.id}`));
    await say("purge it", ada.delete(`/tasks/${part.id}?trash=skip`));
    await say("no stamps", ada.get("/stamps?trash=only"));
    await say("delete the lead", ada.delete(`/users-of-shop/${lead.id}`));
    await say("trash", ada.get("/tasks?trash=only&sort=title"));
    await say("trash of leads", ada.get("/users-of-shop?trash=only&sort=name"));
    await say("restore the lead", ada.post(`/users-of-shop/${lead.id}/_restore`, undefined));
    await say("restored", ada.get(`/tasks?${query({ include, sort: "title" })}`));
    await say("found again", ada.get(`/tasks?${query({ search: "turing" })}`));
    const history = await say("history", ada.get(`/tasks/${task.id}/_history`));
    const first = history.data?.at(-1)?.id;
    await say("revert", ada.post(`/tasks/${task.id}/_revert`, { to: first }));
  });
  const refused = all.filter(([, status]) => status >= 400);
  expect(refused.map(([label, status]) => [label, status])).toEqual([
    ["taken", 422],
    ["unknown label", 422],
    ["repeated tag", 422],
    ["kept by a list", 409],
    ["not open", 403],
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
