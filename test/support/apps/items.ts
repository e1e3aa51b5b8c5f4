import type pg from "pg";
import type { Write } from "../database/write-load.js";
import type { Descriptors } from "./changed-app.js";

const named = "fields:\n  name: { type: string, required: true, maxLength: 40 }\n";

/** Items as the first release has them. */
export const before: Descriptors = new Map([
  ["groups.yaml", named],
  ["sites.yaml", named],
  [
    "items.yaml",
    `fields:
  name: { type: string, required: true, maxLength: 60 }
  code: { type: string, required: true, maxLength: 20 }
  note: { type: text, maxLength: 200 }
  colour: { type: string, maxLength: 20 }
  status: { type: enum, values: [draft, live], default: draft, required: true }
  stage: { type: enum, values: [new, old], default: new, required: true }
  rating: { type: number, integer: true, default: 3 }
  quantity: { type: number }
  groupId: { type: belongsTo, resource: groups, required: true }
  placeId: { type: belongsTo, resource: groups }
  remark: { type: text }
`,
  ],
]);

/**
 * And as the next has them, with all that costs something on a big table: a rename, a shorter text, a
 * field that becomes unique and one that becomes required, another type, one more value, a value renamed, a link that
 * leads elsewhere, a field that goes and new ones that are counted, searched, linked and listed by.
 */
export const after: Descriptors = new Map([
  ["groups.yaml", named],
  ["sites.yaml", named],
  [
    "items.yaml",
    `fields:
  name: { type: string, required: true, maxLength: 60 }
  code: { type: string, required: true, maxLength: 20, unique: true }
  note: { type: text, maxLength: 100 }
  shade: { type: string, maxLength: 20, was: colour }
  status: { type: enum, values: [draft, live, gone], default: draft, required: true }
  stage: { type: enum, values: [fresh, old], default: fresh, required: true, renamed: { new: fresh } }
  rating: { type: number, integer: true, default: 3, required: true }
  quantity: { type: number, integer: true }
  groupId: { type: belongsTo, resource: groups, required: true }
  placeId: { type: belongsTo, resource: sites }
  siteId: { type: belongsTo, resource: sites }
  weight: { type: number, default: 1 }
  active: { type: boolean, default: true }
  subtitle: { type: string, maxLength: 40 }
`,
  ],
]);

/** Its changes that may lose data. */
export const consent = ["items"];

/** Fills the tables; as fast as it goes, so indexes and the tally are made again afterwards. */
export async function fillItems(client: pg.Client, rows: number): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = 'items'::regclass and not indisprimary`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const table of ["groups", "sites"]) {
    await client.query(
      `insert into ${table} (id, name) select ${idOf("n")}, 'Name ' || n
       from generate_series(0, 99) as n`,
    );
  }
  // Neither links nor the tally look at each row.
  await client.query("set session_replication_role to replica");
  await client.query(
    `insert into items (
       id, name, code, note, colour, status, stage, rating, quantity, group_id, place_id, remark,
       created_at, updated_at
     )
     select
       ${idOf("n")}, 'Item ' || n, 'C' || n, 'Note ' || n, case when n % 4 = 0 then 'green' end,
       case when n % 3 = 0 then 'live' else 'draft' end,
       case when n % 2 = 0 then 'new' else 'old' end, case when n % 50 > 0 then 5 end,
       case when n % 20 = 0 then n % 1000 end, ${idOf("n % 100")},
       case when n % 7 = 0 then ${idOf("n % 100")} end, 'Remark ' || n,
       timestamptz '2020-01-01' + make_interval(secs => n), '2020-01-01'
     from generate_series(1, ${rows}) as n`,
  );
  await client.query("reset session_replication_role");
  await client.query("set maintenance_work_mem to '256MB'");
  for (const { definition } of indexes) await client.query(definition);
  await client.query("reset maintenance_work_mem");
  await client.query("call service.recount('items')");
  await client.query("vacuum analyze items");
}

/** Number of filled rows that differ from the result of the change. */
export async function wrongItems(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ wrong: number }>(
    `select count(*)::int as wrong
     from items
     cross join lateral (select substr(code, 2)::int as n) as number
     where code like 'C%' and (
       id is distinct from ${idOf("n")}
       or note is distinct from 'Note ' || n
       or stage is distinct from case when n % 2 = 0 then 'fresh' else 'old' end
       or shade is distinct from case when n % 4 = 0 then 'green' end
       or rating is distinct from case when n % 50 > 0 then 5 else 3 end
       or group_id is distinct from ${idOf("n % 100")}
       or place_id is distinct from case when n % 7 = 0 then ${idOf("n % 100")} end
       or site_id is not null or weight is distinct from 1 or active is distinct from true
       or subtitle is not null
       -- Those that no writer has changed.
       or updated_at = '2020-01-01' and (
         name <> 'Item ' || n
         or status <> case when n % 3 = 0 then 'live' else 'draft' end
         or quantity is distinct from case when n % 20 = 0 then n % 1000 end
       )
     )`,
  );
  return rows[0]?.wrong ?? -1;
}

/** SQL of the id of a filled row. */
function idOf(number: string): string {
  return `('01900000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

/**
 * Inserts, updates and deletes that name only what both releases have. `first` is the number of the first writer, which
 * none of another load may have.
 */
export function itemWrites(rows: number, first = 0): (writer: number, round: number) => Write {
  return (place, round) => {
    const writer = first + place;
    const own = id(`9${writer}00`, Math.floor(round / 4));
    const any = id("8000", Math.ceil(Math.random() * rows));
    switch (round % 4) {
      case 0:
        return {
          text: `insert into items (id, name, code, status, quantity, group_id, place_id)
            values ($1, $2, $3, 'live', 7, $4, $4)`,
          values: [own, "New", `W${writer}-${round}`, id("8000", round % 100)],
        };
      case 1:
        return {
          text: "update items set status = 'draft', quantity = $2, updated_at = now() where id = $1",
          values: [any, round],
        };
      case 2:
        return {
          text: "update items set name = $2, updated_at = now() where id = $1",
          values: [any, `Changed ${round}`],
        };
      default:
        return { text: "delete from items where id = $1", values: [own] };
    }
  };
}

function id(part: string, number: number): string {
  return `01900000-0000-7000-${part}-${number.toString(16).padStart(12, "0")}`;
}
