import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newLog } from "../../runtime/own-code/index.js";
import { startExpiring } from "../../runtime/resource/trash/expire.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

const folders = 100;
const papers = 100_000;
const pins = 10_000;

let app: WrittenApp;
let ada: RuledCaller;
let sql: pg.Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["boxes.yaml", "trash: 7\nchanges: true\nfields: { name: { type: string } }\n"],
      [
        "folders.yaml",
        `trash: true
changes: true
fields:
  boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade }
`,
      ],
      [
        "papers.yaml",
        `trash: true
changes: true
fields:
  folderId: { type: belongsTo, resource: folders, required: true, onDelete: cascade }
  title: { type: string, required: true, unique: true }
`,
      ],
      ["pins.yaml", "fields: { paperId: { type: belongsTo, resource: papers, unique: true } }\n"],
    ]),
  });
  ada = await app.caller(null);
  // The app's own connections have a time limit.
  sql = new pg.Client({ connectionString: app.config.database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await app.close();
});

async function filledBox(): Promise<string> {
  const box = await sql.query("insert into boxes (name) values ('Box') returning id");
  const id: string = box.rows[0].id;
  await sql.query("insert into folders (box_id) select $1 from generate_series(1, $2)", [
    id,
    folders,
  ]);
  await sql.query(
    `insert into papers (folder_id, title)
     select (array(select id from folders where box_id = $1))[1 + at % $2::integer], at::text
     from generate_series(1, $3::integer) as at`,
    [id, folders, papers],
  );
  await sql.query("insert into pins (paper_id) select id from papers limit $1", [pins]);
  return id;
}

async function count(from: string): Promise<number> {
  const { rows } = await sql.query(`select count(*)::integer as n from ${from}`);
  return rows[0].n;
}

const pinned = () => count("pins where paper_id is not null");

/** Without the time limit of requests, which a busy machine exceeds. */
async function deletedBox(): Promise<string> {
  await sql.query("truncate boxes, folders, papers, pins, service.trash");
  const id = await filledBox();
  await sql.query("delete from boxes");
  return id;
}

test("100,000 records are deleted with another one, restored with it, and deleted permanently", async () => {
  const id = await deletedBox();
  expect(await count("papers")).toBe(0);
  expect(await count("service.trash")).toBe(1 + folders + papers);
  expect(await count("service.trash where is_root")).toBe(1);
  expect(await count("(select distinct mark from service.trash) as marks")).toBe(1);
  expect(await pinned()).toBe(0);
  const total = await ada.client.get<{ meta: { total: number } }>("/papers?perPage=1");
  expect(total.body.meta.total).toBe(0);

  const { rows } = await sql.query(
    "select service.restore_trash(mark) as refused from service.trash where is_root",
  );
  expect(rows).toEqual([{ refused: null }]);
  expect(await count("papers")).toBe(papers);
  expect(await count("service.trash")).toBe(0);
  expect(await pinned()).toBe(pins);

  await sql.query("delete from boxes");
  await sql.query("select service.empty_trash(array[$1])", [`boxes/${id}`]);
  expect(await count("service.trash")).toBe(0);
});

test("100,000 records expire with the one they were deleted with", async () => {
  await deletedBox();
  await sql.query("update service.trash set deleted_at = deleted_at - interval '8 days'");
  const definitions = [{ table: { name: "boxes", trash: { days: 7 } } }] as never;
  const log = newLog({ logLevel: "silent" });
  const expiring = startExpiring({ db: app.db, log }, definitions, 50);
  try {
    await expect.poll(() => count("service.trash"), { timeout: 120_000 }).toBe(0);
  } finally {
    await expiring.close();
  }
});

test("the one taken value among them is found", async () => {
  await deletedBox();
  const taken = await sql.query("select id from service.trash where image ->> 'title' = '777'");
  const box = await sql.query("insert into boxes (name) values ('Other') returning id");
  await sql.query(
    `with folder as (insert into folders (box_id) values ($1) returning id)
     insert into papers (folder_id, title) select id, '777' from folder`,
    [box.rows[0].id],
  );
  const { rows } = await sql.query(
    "select service.restore_trash(mark) as refused from service.trash where is_root",
  );
  const [{ refused }] = rows;
  expect(refused).toMatchObject({ table: "papers", id: taken.rows[0].id, kind: "unique" });
});
