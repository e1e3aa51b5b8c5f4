import type { Database } from "../../db/index.js";
import { didYouMean } from "../../values/nearest.js";
import { unquotedTable } from "../../values/sql/table-name.js";
import { listWordsBriefly } from "../../values/text.js";
import { withConnection } from "../app/connection.js";
import { withConfig } from "../app/database.js";
import { type StoredResource, storedTables } from "../app/tables.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { count, sayAside, sayDone, sayJson, warn } from "../report.js";

export interface SearchRebuildOptions {
  readonly json?: true;
}

/** Number of records per transaction: texts of 100,000 characters are indexed within its time limit. */
const atOnce = 100;

/** Milliseconds that a transaction waits for records that other transactions are changing. */
const lockMs = 60_000;

/** Indexes the words of all records of one resource, or of all resources that have words. */
export async function rebuildSearch(
  root: string,
  resource: string | null,
  { json }: SearchRebuildOptions,
): Promise<ExitCode> {
  const { resources } = storedTables(root);
  const rebuilt = await withConfig(root, (config) =>
    withConnection(config, async (db) => {
      const done: Record<string, number> = {};
      for (const { name, table } of await searched(db, resources, resource)) {
        if (!(await foldAgain(db, table))) {
          warn(`Searches of ${name} distinguish accents: the extension unaccent is not available`);
        }
        done[name] = await rebuildTable(db, table);
      }
      return done;
    }),
  );
  if (json) sayJson(rebuilt);
  else report(rebuilt);
  return exit.done;
}

function report(rebuilt: Readonly<Record<string, number>>): void {
  const entries = Object.entries(rebuilt);
  if (entries.length === 0) sayAside("No resource has a search");
  for (const [name, records] of entries) sayDone(`${count(records, "record")} of ${name} indexed`);
}

async function searched(
  db: Database,
  resources: readonly StoredResource[],
  resource: string | null,
): Promise<readonly { readonly name: string; readonly table: string }[]> {
  const rows = await db.query<{ table: string }>(
    'select table_name as "table" from service.word_indexes order by table_name',
  );
  const all = rows.map(({ table }) => {
    const name = resources.find((one) => unquotedTable(one.table) === table)?.name ?? table;
    return { name, table };
  });
  if (resource === null) return all;
  const found = all.filter(({ name }) => name === resource);
  if (found.length > 0) return found;
  const names = all.map(({ name }) => name);
  const hint =
    didYouMean(resource, names) ??
    (names.length === 0
      ? "add search: to the resource's descriptor"
      : `the resources with search are ${listWordsBriefly(names)}`);
  throw new CommandRefused(`"${resource}" has no search`, hint);
}

/** Makes the index ignore accents if the definition requires it. Returns false if `unaccent` is not available. */
async function foldAgain(db: Database, table: string): Promise<boolean> {
  const [row] = await db.query<{ is_possible: boolean }>(
    "select service.refold_words($1) as is_possible",
    [table],
  );
  return row?.is_possible !== false;
}

async function rebuildTable(db: Database, table: string): Promise<number> {
  let records = 0;
  for (let after: string | null = null; ; ) {
    const ids: readonly string[] = await indexNext(db, { table, after });
    records += ids.length;
    after = ids.at(-1) ?? null;
    if (ids.length < atOnce) return records;
  }
}

async function indexNext(
  db: Database,
  { table, after }: { readonly table: string; readonly after: string | null },
): Promise<readonly string[]> {
  const text = "select service.index_next_words($1, $2, $3) as ids";
  const [row] = await db.transaction(
    ({ query }) => query<{ ids: readonly string[] }>(text, [table, after, atOnce]),
    { lockMs },
  );
  return row?.ids ?? [];
}
