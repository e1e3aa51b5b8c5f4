import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChangesHost, openChangesHost } from "../support/changes/host.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import { client } from "../support/http/client.js";

let host: ChangesHost;
let token: string;
beforeAll(async () => {
  host = await openChangesHost({
    descriptors: new Map([
      [
        "boxes.yaml",
        "trash: true\nchanges: true\nfields: { name: { type: string, unique: true } }\n",
      ],
      [
        "notes.yaml",
        `trash: true
changes: true
fields:
  boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade }
  name: { type: string, unique: true }
`,
      ],
      ["pins.yaml", "fields: { noteId: { type: belongsTo, resource: notes } }\n"],
    ]),
    settings: "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\n",
  });
  token = (await host.account(null)).token;
}, 120_000);
afterAll(() => host.close());

/** Where the box is, with its two notes and the pin of one of them. */
type Place = "table" | "trash" | "nowhere";

let boxes = 0;

async function boxIn(place: "table" | "trash"): Promise<string> {
  boxes += 1;
  const [box] = await host.db.query<{ id: string }>(
    `with box as (insert into boxes (name) values ($1) returning id),
     note as (
       insert into notes (box_id, name) select id, $1 || ' ' || at from box, generate_series(1, 2) as at
       returning id
     ),
     pin as (insert into pins (note_id) select id from note limit 1)
     select id from box`,
    [`Box ${boxes}`],
  );
  const id = box?.id ?? "";
  if (place === "trash") await host.db.query("delete from boxes where id = $1", [id]);
  return id;
}

/** Throws if parts of it are in different places. */
async function placeOf(id: string): Promise<Place> {
  const [found] = await host.db.query<Record<"boxes" | "notes" | "pins" | "kept", number>>(
    `select
       (select count(*)::int from boxes where id = $1) as boxes,
       (select count(*)::int from notes where box_id = $1) as notes,
       (select count(*)::int from pins join notes on notes.id = note_id where box_id = $1) as pins,
       (
         select count(*)::int
         from service.trash
         where mark = (select mark from service.trash where table_name = 'boxes' and id = $1)
       ) as kept`,
    [id],
  );
  const places = {
    table: { boxes: 1, notes: 2, pins: 1, kept: 0 },
    trash: { boxes: 0, notes: 0, pins: 0, kept: 3 },
    nowhere: { boxes: 0, notes: 0, pins: 0, kept: 0 },
  } as const;
  const [place] = Object.entries(places).find(
    ([, one]) => JSON.stringify(one) === JSON.stringify(found),
  ) ?? ["in parts"];
  expect(Object.keys(places), JSON.stringify(found)).toContain(place);
  return place as Place;
}

interface Case {
  readonly title: string;
  readonly method: "DELETE" | "POST";
  readonly path: string;
  readonly from: "table" | "trash";
  readonly to: Place;
  /** Locks what one of the request's statements waits for; `$1` is the id. */
  readonly lock: string;
}

const aNote = "select id from notes where box_id = $1 order by id desc limit 1";
const keptNote =
  "select id from service.trash where table_name = 'notes' and image ->> 'box_id' = $1::text order by id desc limit 1";
const removal = { method: "DELETE", path: "" } as const;
const purge = { method: "DELETE", path: "?trash=skip" } as const;
const restore = { method: "POST", path: "/_restore" } as const;
const cases: readonly Case[] = [
  {
    ...{ ...removal, from: "table", to: "trash" },
    title: "a deletion, at a record that goes along",
    lock: `select from notes where id = (${aNote}) for update`,
  },
  {
    ...{ ...removal, from: "table", to: "trash" },
    title: "a deletion, at a link that it clears",
    lock: "select from pins where note_id in (select id from notes where box_id = $1) for update",
  },
  {
    ...{ ...restore, from: "trash", to: "table" },
    title: "a restore, before its first row",
    lock: `select from service.trash where id = (${keptNote}) for update`,
  },
  {
    ...{ ...restore, from: "trash", to: "table" },
    title: "a restore, between its tables",
    lock: `insert into notes (id, box_id, name)
      select (${keptNote}), id, null from boxes where id <> $1::uuid limit 1`,
  },
  {
    ...{ ...restore, from: "trash", to: "table" },
    title: "a restore, at a link that it sets again",
    lock: `select from pins
      where id in (
        select jsonb_array_elements_text(link -> 'ids')::uuid
        from service.trash
        cross join lateral jsonb_array_elements(cleared) as link
        where image ->> 'box_id' = $1::text
      )
      for update`,
  },
  {
    ...{ ...purge, from: "trash", to: "nowhere" },
    title: "a permanent deletion, at a deleted record that belongs to it",
    lock: `select from service.trash where id = (${keptNote}) for update`,
  },
  {
    ...{ ...purge, from: "table", to: "nowhere" },
    title: "a permanent deletion of a living record, at a record that goes along",
    lock: `select from notes where id = (${aNote}) for update`,
  },
];

async function connected(): Promise<pg.Client> {
  const sql = new pg.Client({ connectionString: host.databaseUrl });
  sql.on("error", () => {});
  await sql.connect();
  return sql;
}

for (const victim of ["the server", "PostgreSQL"] as const) {
  test(`${victim}, killed within a write of the trash, leaves it done or undone, and it can be sent again`, async () => {
    await boxIn("table");
    let server = await host.serve(0);
    for (const { title, method, path, from, to, lock } of cases) {
      const { url, process } = server;
      const id = await boxIn(from);
      const holder = await connected();
      await holder.query("begin");
      await holder.query(lock, [id]);
      const by = client(url, token);
      const answer = by.send(method, `/boxes/${id}${path}`).catch(() => null);
      await expect.poll(() => host.db.query(lockWaiters), { message: title }).toHaveLength(1);
      if (victim === "the server") {
        process.kill("SIGKILL");
        await process;
        await holder.query("rollback");
      } else {
        await host.killDatabase();
        process.kill("SIGKILL");
        await process;
      }
      await holder.end().catch(() => {});
      expect((await answer)?.status ?? 503, title).toBe(503);
      // PostgreSQL learns only at the end of the statement that its client no longer exists.
      await expect.poll(() => host.db.query(others), { message: title }).toEqual([]);
      expect([from, to], title).toContain(await placeOf(id));

      server = await host.serve(0);
      const again = await client(server.url, token).send(method, `/boxes/${id}${path}`);
      expect([200, 204, 404], again.text).toContain(again.status);
      expect(await placeOf(id), title).toBe(to);
      expect(await host.db.query("select * from service.wrong_counts()")).toEqual([]);
    }
    server.process.kill("SIGKILL");
    await server.process;
  }, 300_000);
}

/** Transactions of servers. */
const others = `
  select pid, query
  from pg_stat_activity
  where datname = current_database()
    and pid <> pg_backend_pid()
    and state in ('active', 'idle in transaction')
    and backend_type = 'client backend'`;
