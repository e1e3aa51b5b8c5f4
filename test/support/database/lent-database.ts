import pg from "pg";
import { catalogueOf, type OwnObjects } from "./catalogue.js";
import { createDatabase, type TestDatabase } from "./database.js";

/** A database with the package's tables that goes from test to test, with an open connection. */
export interface LentDatabase extends TestDatabase {
  readonly client: pg.Client;
  /** What it consists of beside the package's own objects, which are half of the work and do not change. */
  dump(): Promise<readonly string[]>;
  /** Returns it for the next test, cleared. Throws if the package's own objects changed. */
  drop(): Promise<void>;
}

interface Lendable extends Pick<LentDatabase, "url" | "client"> {
  /** The package's own tables and routines; the others are an app's. */
  readonly own: Own;
}

interface Own extends OwnObjects {
  readonly tables: readonly string[];
  /** Another one when one of them has been changed. */
  readonly state: string;
}

/** They go with the PostgreSQL of the run, and their connections with this process. */
const free: Lendable[] = [];

/**
 * Does what `createDatabase` does, but resets a database that an earlier test has given back.
 * It is for tests that change none of the package's own objects, only rows in them. The extension
 * pg_trgm stays once a migration has created it.
 */
export async function borrowDatabase(): Promise<LentDatabase> {
  const database = free.pop() ?? (await newDatabase());
  const { url, client } = database;
  return {
    url,
    client,
    dump: () => catalogueOf(client, database.own),
    async drop() {
      await reset(database);
      free.push(database);
    },
  };
}

async function newDatabase(): Promise<Lendable> {
  const { url } = await createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const own = await objectsIn(client);
  return { url, client, own };
}

/** What is in the schema `service`, with the full names of its tables. */
async function objectsIn(client: pg.Client): Promise<Own> {
  await client.query(qualified);
  const { rows } = await client.query<Omit<Own, "state">>(ownObjects);
  await client.query("reset all");
  const [own] = rows;
  if (own === undefined) throw new Error("PostgreSQL does not list the package's objects");
  return { ...own, state: await stateOf(client, own) };
}

/** How many rows of the catalogue describe them, and the newest transaction that wrote one. */
async function stateOf(client: pg.Client, { relations, routines }: OwnObjects): Promise<string> {
  const { rows } = await client.query<{ state: string }>(ownState, [relations, routines]);
  return rows[0]?.state ?? "";
}

const qualified = "set search_path to ''";

async function reset({ client, own }: Lendable): Promise<void> {
  // A connection that a failed test left open may hold a lock: the others are not to hang then.
  const settings = "set lock_timeout to '10s'; set session_replication_role to replica";
  await client.query(`${qualified}; ${settings}`);
  if ((await stateOf(client, own)) !== own.state)
    throw new Error("a test has changed the package's own objects in a database that others use");
  const { rows } = await client.query<{ statement: string }>(resetStatements, [
    own.tables,
    own.routines,
  ]);
  await client.query(rows.map(({ statement }) => statement).join(";\n"));
  await client.query("reset all");
}

const ownObjects = `
  select
    array(
      select oid::regclass::text
      from pg_catalog.pg_class
      where relkind = 'r' and relnamespace = 'service'::regnamespace
    ) as tables,
    array(
      select relname::text from pg_class where relnamespace = 'service'::regnamespace
    ) as relations,
    array(
      select oid::text from pg_proc where pronamespace = 'service'::regnamespace
    ) as routines`;

/** Triggers that enforce links are left out: a link of an app has some on the table that it leads to. */
const ownState = `
  with own as (
    select oid
    from pg_class
    where relnamespace = 'service'::regnamespace and relname = any ($1)
  )
  select count(*) || ' ' || max(written) as state
  from (
    select xmin::text::bigint from pg_attribute where attrelid in (select oid from own)
    union all
    select xmin::text::bigint from pg_attrdef where adrelid in (select oid from own)
    union all
    select xmin::text::bigint from pg_constraint where conrelid in (select oid from own)
    union all
    select xmin::text::bigint from pg_index where indrelid in (select oid from own)
    union all
    select xmin::text::bigint
    from pg_trigger
    where tgrelid in (select oid from own) and not tgisinternal
    union all
    select xmin::text::bigint from pg_proc where oid = any ($2::oid[])
  ) as rows (written)`;

/** Triggers and links are off meanwhile, so the order of tables does not matter. */
const resetStatements = `
  select format('drop table %s cascade', string_agg(oid::regclass::text, ', ')) as statement
  from pg_class
  where relkind = 'r' and relnamespace in ('public'::regnamespace, 'service'::regnamespace)
    and oid::regclass::text <> all ($1)
  having count(*) > 0
  union all
  select format('drop routine %s cascade', oid::regprocedure)
  from pg_proc
  where pronamespace in ('public'::regnamespace, 'service'::regnamespace)
    and oid <> all ($2::oid[])
    and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
    )
  union all
  select format(
    'delete from %s%s', name, case name when 'service.migrations' then ' where source = ''app''' end
  )
  from unnest($1::text[]) as name
  -- One row, which the package's migrations write.
  where name <> 'service.installation'`;
