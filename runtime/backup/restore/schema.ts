import pg from "pg";
import type { Database } from "../../db/index.js";
import { type MigrationFile, migrationKey, readLedger } from "../../migrate/index.js";
import { BackupProblem } from "../archive/problem.js";
import { findTables, type JoinTables, type ResourceNames } from "../tables/find.js";
import type { SplitMigrations } from "./migrations.js";
import { contentsOf, refuseContents } from "./target.js";

/**
 * Drops the app's tables from an empty database whose migrations are later than an archive's, so that
 * the earlier migrations can recreate them.
 *
 * @throws {BackupProblem} if other objects would be lost, or the role could not recreate them.
 */
export async function returnToSchema(
  db: Database,
  { earlier, later }: SplitMigrations,
  { names, joins }: { readonly names: ResourceNames; readonly joins: JoinTables },
): Promise<void> {
  const applied = new Set((await readLedger(db)).map(migrationKey));
  const isApplied = (file: MigrationFile) => applied.has(migrationKey(file));
  if (!later.some(isApplied)) return;
  if ([...earlier, ...later].some((file) => isApplied(file) && adopts(file))) {
    throw new BackupProblem(
      "The archive is older than the schema of the database, which has adopted tables",
      "restore into a database that was never migrated",
    );
  }
  await db.transaction(async (connection) => {
    const { archived } = await findTables(connection, joins);
    const tables = archived.map(({ sql }) => sql);
    await connection.query(`lock table ${tables.join(", ")} in access exclusive mode`);
    refuseContents(await contentsOf(connection, names));
    const own = archived.filter(({ name }) => name.startsWith("public."));
    const [other] = await connection.query<{ object: string }>(otherObjects, [
      own.map(({ sql }) => sql),
    ]);
    const [role] = await connection.query<{ mayCreate: boolean }>(
      "select has_database_privilege(current_database(), 'create') as \"mayCreate\"",
    );
    if (other !== undefined || !role?.mayCreate) {
      throw new BackupProblem(
        other === undefined
          ? "The archive is older than the schema of the database, and the role may not create that schema again"
          : `The archive is older than the schema of the database, which also contains ${other.object}`,
        "restore into a database that was never migrated",
      );
    }
    if (own.length > 0) {
      await connection.query(`drop table ${own.map(({ sql }) => sql).join(", ")}`);
    }
    await connection.query(`drop schema ${pg.escapeIdentifier("service")} cascade`);
  });
}

/** Whether the migration adopts tables, which no command drops. */
function adopts({ sql }: MigrationFile): boolean {
  return /^-- @adopt /m.test(sql);
}

/** Objects in the schema `public` other than these tables, their parts and those of extensions. */
const otherObjects = `
  with own as (
    select unnest($1::text[])::regclass as relation
  )
  select pg_describe_object(classid, objid, 0) as object
  from (
    select 'pg_class'::regclass as classid, pg_class.oid as objid
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and pg_class.oid not in (select relation from own)
    union all
    select 'pg_proc'::regclass, pg_proc.oid
    from pg_proc
    where pronamespace = 'public'::regnamespace
    union all
    select 'pg_type'::regclass, pg_type.oid
    from pg_type
    where typnamespace = 'public'::regnamespace and typrelid = 0 and typelem = 0
  ) as found
  where not exists (
    select
    from pg_depend
    where pg_depend.classid = found.classid
      and pg_depend.objid = found.objid
      and deptype in ('e', 'i', 'a')
  )
  order by 1
  limit 1`;
