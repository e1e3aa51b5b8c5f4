import pg from "pg";
import { createDatabase, type TestDatabase } from "./database.js";

/** A database with the package's tables that goes from test to test, with an open connection. */
export interface LentDatabase extends TestDatabase {
  readonly client: pg.Client;
  /** Gives it back: without what tests put into it, it is lent again. */
  drop(): Promise<void>;
}

interface Lendable extends Pick<LentDatabase, "url" | "client"> {
  /** The package's own tables and routines; the others are an app's. */
  readonly own: Own;
}

type Own = Readonly<Record<"tables" | "routines", readonly string[]>>;

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

/** The tables and routines in the schema `service`, by their full names. */
async function objectsIn(client: pg.Client): Promise<Own> {
  await client.query(qualified);
  const { rows } = await client.query<Own>(ownObjects);
  await client.query("reset all");
  const [own] = rows;
  if (own === undefined) throw new Error("PostgreSQL does not list the package's objects");
  return own;
}

const qualified = "set search_path to ''";

async function reset({ client, own }: Lendable): Promise<void> {
  // A connection that a failed test left open may hold a lock: the others are not to hang then.
  const settings = "set lock_timeout to '10s'; set session_replication_role to replica";
  await client.query(`${qualified}; ${settings}`);
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
      select oid::regprocedure::text
      from pg_proc
      where pronamespace = 'service'::regnamespace
    ) as routines`;

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
    and oid::regprocedure::text <> all ($2)
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
