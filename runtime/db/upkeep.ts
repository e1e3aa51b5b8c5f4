import type { Queryable } from "./database.js";
import { maintaining } from "./maintain.js";

/** A number of the tally that is not what counting the rows gives. */
export interface WrongCount {
  readonly table: string;
  /** What was counted: `all`, `status = live`. */
  readonly counted: string;
  readonly kept: number;
  readonly found: number;
}

/** What is amiss with the things that keep big tables quick. */
export interface Upkeep {
  readonly wrongCounts: readonly WrongCount[];
  /** Tables whose tally lacks a trigger, or has one that is disabled. */
  readonly unkept: readonly string[];
  /** Tables whose search index is not there. */
  readonly unindexed: readonly string[];
}

/**
 * Compares every tally with its table and looks for every search index. Reads each table once.
 *
 * @throws {MigrationError} where the database does not let it.
 */
export function inspectUpkeep(url: string): Promise<Upkeep> {
  return maintaining(url, async (db) => ({
    wrongCounts: await db.query<WrongCount>(
      `select table_name as table, counted, kept::float8 as kept, found::float8 as found
       from service.wrong_counts()`,
    ),
    unkept: await tables(
      db,
      "select table_name as table from service.unkept_tallies order by table_name",
    ),
    unindexed: await tables(
      db,
      `select table_name as table
       from service.search_indexes
       where to_regclass(format('public.%I', index_name)) is null
       order by table_name`,
    ),
  }));
}

async function tables(db: Queryable, text: string): Promise<readonly string[]> {
  return (await db.query<{ table: string }>(text)).map(({ table }) => table);
}

/**
 * Puts triggers back, counts anew where a tally is wrong, and builds the search indexes that are
 * missing. Writers of such a table wait meanwhile.
 *
 * @throws {MigrationError} where the database does not let it.
 */
export function repairUpkeep(
  url: string,
  { wrongCounts, unkept, unindexed }: Upkeep,
): Promise<void> {
  const wrong = new Set([...wrongCounts.map(({ table }) => table), ...unkept]);
  return maintaining(url, async (db) => {
    // Whoever waits longer for a lock holds up everybody who comes after it.
    await db.query("set lock_timeout to '5s'");
    for (const table of unkept) {
      // A trigger that was disabled is replaced by one that is not.
      await db.query("call service.write_tally_triggers($1)", [table]);
    }
    for (const table of wrong) await db.query("call service.recount($1)", [table]);
    if (unindexed.length > 0) {
      await db.query("create extension if not exists pg_trgm schema public");
    }
    for (const table of unindexed) await db.query("call service.build_search_index($1)", [table]);
  });
}
