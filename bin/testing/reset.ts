import { type Database, foreignKeyViolation, type Queryable } from "../../runtime/db/index.js";

interface Named {
  readonly schema: string;
  /** The qualified name, quoted for SQL. */
  readonly name: string;
}

/**
 * From this number of rows on, truncating a table, which takes a few milliseconds, is faster than deleting its rows.
 */
const manyRows = 1_000;

/**
 * Creates a function that empties all tables of the app. It also empties tables of the package that are empty after the
 * migrations, such as accounts, mails and files. The package's other tables record what is installed, or hold counts
 * that triggers maintain. All runs use one connection, whose caches the first run fills.
 */
export async function newReset(db: Database): Promise<() => Promise<void>> {
  const tables = await db.query<Named>(named("'r', 'p'"));
  const sequences = await db.query<Named>(named("'S'"));
  const names = tables.map(({ name }) => name);
  const held = new Set((await filled(db, names)).map(({ name }) => name));
  await deleteAll(
    db,
    names.filter((name) => !held.has(name)),
  );
  const emptied = tables
    .filter(({ schema, name }) => schema !== "service" || !held.has(name))
    .map(({ name }) => name);
  const started = sequences
    .filter(({ schema }) => schema !== "service")
    .map(({ name }) => `alter sequence ${name} restart`);
  return async () => {
    await empty(db, emptied);
    if (started.length > 0) await db.query(`do $$ begin ${started.join("; ")}; end $$`);
  };
}

/** Returns a query for relations of these kinds, except PostgreSQL's own and partitions. */
function named(kinds: string): string {
  return `
    select n.nspname as schema, format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in (${kinds})
      and not c.relispartition
      and n.nspname <> 'information_schema'
      and n.nspname !~ '^pg_'
    order by 2`;
}

async function empty(db: Queryable, tables: readonly string[]): Promise<void> {
  const found = await filled(db, tables);
  const names = found.map(({ name }) => name);
  if (names.length === 0) return;
  const truncate = `truncate ${names.join(", ")} cascade`;
  if (found.some(({ many }) => many)) {
    await db.query(truncate);
    return;
  }
  try {
    await deleteAll(db, names);
  } catch (error) {
    // `on delete restrict` is checked immediately, even within one statement.
    if (foreignKeyViolation(error) === null) throw error;
    await db.query(truncate);
  }
}

/**
 * Deletes all rows in one statement: foreign keys are checked at its end, when the rows on both sides no longer exist.
 */
async function deleteAll(db: Queryable, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  const deletes = tables.map((name, at) => `_${at} as (delete from ${name})`);
  await db.query(`with ${deletes.join(",\n")}\nselect`);
}

interface Filled {
  readonly name: string;
  readonly many: boolean;
}

async function filled(db: Queryable, tables: readonly string[]): Promise<readonly Filled[]> {
  if (tables.length === 0) return [];
  const selects = tables.map((name) => {
    const literal = `'${name.replaceAll("'", "''")}'`;
    const many = `exists (select from ${name} offset ${manyRows})`;
    return `select ${literal} as name, ${many} as many where exists (select from ${name})`;
  });
  return db.query<Filled>(selects.join("\nunion all\n"));
}
