import type { Queryable } from "./database.js";
import { withConnection } from "./migrate/connect.js";
import { MigrationError } from "./migrate/error.js";
import { sqlState } from "./sqlstate.js";

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
  /** Tables whose search index is not there. */
  readonly unindexed: readonly string[];
}

/** Compares every tally with its table and looks for every search index. Reads each table once. */
export function inspectUpkeep(url: string): Promise<Upkeep> {
  return withConnection({ url }, async (db) => ({
    wrongCounts: await db.query<WrongCount>(
      `select table_name as table, counted, kept::float8 as kept, found::float8 as found
       from service.wrong_counts()`,
    ),
    unindexed: (
      await db.query<{ table: string }>(
        `select table_name as table
         from service.search_indexes
         where to_regclass(format('public.%I', index_name)) is null
         order by table_name`,
      )
    ).map(({ table }) => table),
  }));
}

/**
 * Counts anew where a tally is wrong, and builds the search indexes that are missing. Writers of such
 * a table wait meanwhile.
 *
 * @throws {MigrationError} where the extension that they take may not be had.
 */
export function repairUpkeep(url: string, { wrongCounts, unindexed }: Upkeep): Promise<void> {
  const wrong = [...new Set(wrongCounts.map(({ table }) => table))];
  return withConnection({ url }, async (db) => {
    // Whoever waits longer for a lock holds up everybody who comes after it.
    await db.query("set lock_timeout to '5s'");
    for (const table of wrong) await db.query("call service.recount($1)", [table]);
    if (unindexed.length > 0) await createExtension(db);
    for (const table of unindexed) await db.query("call service.build_search_index($1)", [table]);
  });
}

async function createExtension(db: Queryable): Promise<void> {
  try {
    await db.query("create extension if not exists pg_trgm schema public");
  } catch (error) {
    if (!(error instanceof Error) || sqlState(error) === null) throw error;
    throw new MigrationError(
      `The extension pg_trgm cannot be created: ${error.message}`,
      "have somebody who may do so install it in this database",
      { cause: error },
    );
  }
}
