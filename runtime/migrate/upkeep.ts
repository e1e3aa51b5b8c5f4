import type { Queryable } from "../db/index.js";
import { qualifiedTable } from "../values/sql/table-name.js";
import type { ExpectedTable } from "./drift/expected.js";
import { withMaintenanceConnection } from "./session/maintenance.js";
import { addTrigramsToSearchPath, findTrigrams, type Trigrams } from "./session/trigrams.js";

/** A number in the tally that differs from the number of rows. */
export interface WrongCount {
  readonly table: string;
  /** The counted rows: `all` or `status = live`. */
  readonly counted: string;
  readonly kept: number;
  readonly found: number;
}

/** Problems of the tallies and search indexes that keep large tables fast. */
export interface Upkeep {
  readonly wrongCounts: readonly WrongCount[];
  /** Tables whose tally lacks a trigger or has a disabled one, and adopted tables with a trigger that replication skips. */
  readonly incompleteTallies: readonly string[];
  /** Tables that existed before the app. The package's triggers on them fire in sessions of replication, too. */
  readonly adopted: readonly string[];
  readonly missingIndexes: readonly MissingIndex[];
  /** Whether search indexes can be built. */
  readonly trigrams: Trigrams;
}

/** An index without which searches read the whole table. */
export interface MissingIndex {
  readonly table: string;
  /** SQL that creates the index; null for the index in the register. */
  readonly statement: string | null;
}

/**
 * Compares every tally with its table, and checks that every search index in the register or `tables` exists. Reads
 * each counted table once, and again if it is counted by owner.
 *
 * @throws {MigrationError} if the database refuses a statement.
 */
export function inspectUpkeep(url: string, tables: readonly ExpectedTable[]): Promise<Upkeep> {
  return withMaintenanceConnection(url, async (db) => ({
    wrongCounts: await db.query<WrongCount>(
      `select table_name as table, counted, kept::float8 as kept, found::float8 as found
       from service.wrong_counts()`,
    ),
    ...(await findIncompleteTallies(db, tables)),
    missingIndexes: await db.query<MissingIndex>(missingIndexes, [
      JSON.stringify(tables.flatMap(furtherIndexes)),
    ]),
    trigrams: await findTrigrams(db),
  }));
}

async function findIncompleteTallies(
  db: Queryable,
  tables: readonly ExpectedTable[],
): Promise<Pick<Upkeep, "incompleteTallies" | "adopted">> {
  const adopted = tables.filter((one) => one.adopted !== undefined).map(({ name }) => name);
  const rows = await db.query<{ table: string }>(
    `select table_name as table from service.unkept_tallies
     union
     select name from unnest($1::text[], $2::text[]) as adopted (name, place)
     join pg_trigger on tgrelid = to_regclass(place) and tgenabled <> 'A'
     join pg_proc on pg_proc.oid = tgfoid and pronamespace = 'service'::regnamespace
     order by 1`,
    [adopted, adopted.map(qualifiedTable)],
  );
  return { incompleteTallies: rows.map(({ table }) => table), adopted };
}

/** The search indexes that are not in the register. */
function furtherIndexes({ name: table, search }: ExpectedTable) {
  const [, ...others] = search?.indexes ?? [];
  return others.map((index) => ({ table, ...index }));
}

const missingIndexes = `
  with needed as (
    select table_name as "table", index_name as name, null as statement
    from service.search_indexes
    union all
    select "table", name, statement
    from jsonb_to_recordset($1) as later ("table" text, name text, statement text)
  )
  select "table", statement
  from needed
  where to_regclass(format('public.%I', name)) is null
  order by "table" collate "C", statement nulls first`;

/**
 * Restores triggers, recounts wrong tallies, and builds missing search indexes. Blocks writers of such a table
 * meanwhile.
 *
 * @throws {MigrationError} if the database refuses a statement.
 */
export function repairUpkeep(
  url: string,
  { wrongCounts, incompleteTallies, adopted, missingIndexes, trigrams }: Upkeep,
): Promise<void> {
  const wrong = new Set([...wrongCounts.map(({ table }) => table), ...incompleteTallies]);
  return withMaintenanceConnection(url, async (db) => {
    // A longer wait for a lock would block all sessions queued behind it.
    await db.query("set lock_timeout to '5s'");
    for (const table of incompleteTallies) {
      // This also replaces a disabled trigger with an enabled one.
      await db.query("call service.write_tally_triggers($1)", [table]);
      if (adopted.includes(table)) await db.query("call service.fire_always($1)", [table]);
    }
    for (const table of wrong) await db.query("call service.recount($1)", [table]);
    if (missingIndexes.length === 0) return;
    if (trigrams !== "installed") {
      await db.query("create extension if not exists pg_trgm schema public");
    }
    await addTrigramsToSearchPath(db);
    for (const { table, statement } of missingIndexes) {
      if (statement !== null) await db.query(statement);
      else await db.query("call service.build_search_index($1)", [table]);
    }
  });
}
