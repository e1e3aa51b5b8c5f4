import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { migrate } from "../../runtime/migrate/index.js";
import type { Check, Result } from "./check.js";
import { middle, timed } from "./figure.js";
import { createDatabase, withConnection } from "./seed.js";
import { ratioText } from "./table.js";
import { service, writeApp } from "./written-app.js";

const rows = 1_000_000;
/** Statements of each kind in a round, each a transaction. */
const writes = 2_000;

/** What the app's triggers cost the old program: beside the same table, which is not adopted. */
export const adoptedWrites: Check = {
  name: "statements on adopted tables",
  async run({ adminUrl, plan }) {
    const url = await createDatabase(adminUrl, "bench_adopted");
    await withConnection(url, (db) => db.query(`${tableSql("Track")}; ${tableSql("Other")}`));
    const root = await writeApp([]);
    await timed([service, "-C", root, "adopt"], { env: { DATABASE_URL: url } });
    await migrate({ url, directory: join(root, "migrations") });
    return withConnection(url, async (db) => {
      // Adopted like the other one, but for what counts its rows.
      await db.query(`alter table "Other" disable trigger user`);
      const times = await inTurn(plan.rounds, (table) => copyTime(db, table));
      const rates = await inTurn(
        plan.rounds,
        async (table) => writes / (await writeTime(db, table)),
      );
      const atMost = ratioOf(times, `copy of ${rows / 1_000_000} million rows, adopted`);
      const least = ratioOf(rates, "single inserts, updates and deletes, adopted");
      return [
        { ...atMost, target: "≤ 1.5 ×", met: atMost.ratio <= 1.5 },
        { ...least, target: "≥ 0.85 ×", met: least.ratio >= 0.85 },
      ];
    });
  },
};

/** As Chinook has it. */
function tableSql(name: string): string {
  return `create table "${name}" (
    "TrackId" int primary key, "Name" varchar(200) not null, "AlbumId" int, "MediaTypeId" int not null,
    "GenreId" int, "Composer" varchar(220), "Milliseconds" int not null, "Bytes" int,
    "UnitPrice" numeric(10,2) not null, "Live" boolean not null default false
  );
  create index on "${name}" ("AlbumId")`;
}

interface Round {
  readonly adopted: number;
  readonly other: number;
}

/** Measures both tables in turn; the first round warms up. */
async function inTurn(
  rounds: number,
  measure: (table: string) => Promise<number>,
): Promise<readonly Round[]> {
  const all: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const other = await measure("Other");
    const adopted = await measure("Track");
    if (round > 0) all.push({ adopted, other });
  }
  return all;
}

function ratioOf(
  rounds: readonly Round[],
  name: string,
): Pick<Result, "name" | "measured"> & { readonly ratio: number } {
  const ratios = rounds.map(({ adopted, other }) => adopted / other);
  const ratio = middle(ratios);
  const spread = `${ratioText(Math.min(...ratios))} to ${ratioText(Math.max(...ratios))}`;
  return { name, ratio, measured: `${ratioText(ratio)} × (${spread})` };
}

/** Milliseconds of one `copy` into the empty table. */
async function copyTime(db: pg.Client, table: string): Promise<number> {
  await db.query(`truncate "${table}"`);
  await db.query("checkpoint");
  const began = performance.now();
  await pipeline(Readable.from(lines()), db.query(copyFrom(`copy "${table}" from stdin`)));
  return performance.now() - began;
}

function* lines(): Generator<string> {
  for (let first = 1; first <= rows; first += 1_000) {
    let text = "";
    for (let id = first; id < first + 1_000; id += 1) {
      text += `${id}\tTrack ${id}\t${id % 5_000}\t1\t${id % 25}\tA composer\t${200_000 + id}\t${id}\t0.99\tf\n`;
    }
    yield text;
  }
}

/** Milliseconds of one statement after another: an insert, an update and a delete for each row. */
async function writeTime(db: pg.Client, table: string): Promise<number> {
  const began = performance.now();
  for (let id = rows + 1; id <= rows + writes; id += 1) {
    await db.query(
      `insert into "${table}" values ($1, 'One more', 7, 1, 2, null, 1000, null, 0.99, false)`,
      [id],
    );
    await db.query(`update "${table}" set "UnitPrice" = 1.29, "Live" = true where "TrackId" = $1`, [
      id,
    ]);
    await db.query(`delete from "${table}" where "TrackId" = $1`, [id]);
  }
  return performance.now() - began;
}
