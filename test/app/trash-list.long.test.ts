import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

const boxes = 1_000;
const notes = 100_000;

let app: WrittenApp;
let ada: RuledCaller;
let sql: pg.Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "boxes.yaml",
        `trash: true
owner: ownerId
access: { read: owner, write: owner }
fields: { ownerId: { type: belongsTo, resource: users, required: true } }
`,
      ],
      [
        "notes.yaml",
        `trash: true
owner: boxId.ownerId
access: { read: owner, write: owner }
fields:
  name: { type: string }
  boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade }
`,
      ],
    ]),
  });
  ada = await app.caller(null);
  // The app's own connections have a time limit.
  sql = new pg.Client({ connectionString: app.config.database.url });
  await sql.connect();
  // A machine that is busy for a minute would have them collected in the middle of the test.
  await sql.query("alter table service.trash set (autovacuum_enabled = false)");
});
afterAll(async () => {
  await sql.end();
  await app.close();
});

async function listed(query: string): Promise<number> {
  const began = performance.now();
  const reply = await ada.client.get<{ meta: { total: number } }>(`/notes?${query}`);
  expect([reply.status, reply.body.meta?.total], query).toEqual([200, notes]);
  return performance.now() - began;
}

test("an owner lists 10⁵ records deleted a moment ago, of which there are no statistics", async () => {
  await sql.query("insert into boxes (owner_id) select $1 from generate_series(1, $2::integer)", [
    ada.id,
    boxes,
  ]);
  // As a deletion leaves them.
  await sql.query(
    `insert into service.trash (table_name, id, mark, is_root, image, parents)
     select 'notes', id, gen_random_uuid(), true,
       jsonb_build_object(
         'id', id, 'name', 'Note ' || at, 'box_id', box, 'created_at', now(), 'updated_at', now()
       ),
       array['boxes/' || box]
     from (
       select at, gen_random_uuid() as id, (array(select id from boxes))[1 + at % $1::integer] as box
       from generate_series(1, $2::integer) as at
     ) as notes`,
    [boxes, notes],
  );
  const queries = ["trash=only", "trash=only&page=3", "trash=only&sort=name"];
  const before = [];
  for (const query of queries) before.push(await listed(query));
  await sql.query("analyze service.trash");
  for (const [at, query] of queries.entries()) {
    const after = await listed(query);
    expect(before[at], `${query}: ${after} ms with statistics`).toBeLessThan(5 * after + 1_000);
  }
}, 300_000);
