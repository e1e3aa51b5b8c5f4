import {
  type DatabaseProblem,
  type Queryable,
  readOnlyHint,
  sessionSettings,
} from "../../db/index.js";
import { MigrationError } from "../error.js";
import { withConnection } from "./connect.js";
import { otherEngine } from "./engine.js";

/** The PostgreSQL server at an address, and its problems. */
export interface DatabaseServer {
  readonly version: string;
  readonly problems: readonly DatabaseProblem[];
  /** Privileges that migrations need and this role lacks; a role that only serves the app needs none of them. */
  readonly lacks: readonly DatabaseProblem[];
}

/**
 * Checks whether a PostgreSQL server can be used.
 *
 * @throws {MigrationError} if it cannot be reached.
 */
export function checkServer(url: string): Promise<DatabaseServer> {
  return withConnection({ url }, async (db) => {
    const [row] = await db.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    if (row === undefined) throw new Error("PostgreSQL does not report its version");
    const { version } = row;
    const problems = await findProblems(db);
    if (problems.length > 0) return { version, problems, lacks: [] };
    const { reads, lacks } = await findRights(db);
    const readOnly = { message: "This database does not accept writes", hint: readOnlyHint };
    return { version, problems: reads ? [readOnly] : [], lacks };
  });
}

/** Determines whether the database is read-only, and which privileges for migrations this role lacks. */
async function findRights(
  db: Queryable,
): Promise<{ readonly reads: boolean; readonly lacks: readonly DatabaseProblem[] }> {
  const [row] = await db.query<{
    readonly reads: boolean;
    readonly schemas: boolean;
    readonly tables: boolean;
    readonly role: string;
    readonly database: string;
  }>(
    `select
       pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as reads,
       to_regnamespace('service') is not null
         or has_database_privilege(current_database(), 'create') as schemas,
       has_schema_privilege(to_regnamespace('public'), 'create') is true as tables,
       quote_ident(current_user) as role,
       quote_ident(current_database()) as database`,
  );
  if (row === undefined) throw new Error("PostgreSQL reports nothing about itself");
  const { reads, schemas, tables, role, database } = row;
  const lacks: (DatabaseProblem | false)[] = [
    !schemas && {
      message: `The role ${role} may not create schemas in the database ${database}`,
      hint: `run as its owner: grant create on database ${database} to ${role}`,
    },
    !tables && {
      message: `The role ${role} may not create tables in the schema public`,
      hint: `run in that database as its owner: grant usage, create on schema public to ${role}`,
    },
  ];
  return { reads, lacks: lacks.filter((lack) => lack !== false) };
}

/**
 * Refuses a database with which the app cannot work correctly.
 *
 * @throws {MigrationError} with everything that must be changed.
 */
export async function refuseUnsuitableServer(db: Queryable): Promise<void> {
  const problems = await findProblems(db);
  if (problems.length === 0) return;
  throw new MigrationError(
    problems.map(({ message }) => message).join("; "),
    problems.map(({ hint }) => hint).join("; "),
    { problems },
  );
}

/**
 * Finds problems that a session cannot fix, or did not: session settings have no effect behind a proxy that pools by
 * transaction.
 */
async function findProblems(db: Queryable): Promise<readonly DatabaseProblem[]> {
  const [product] = await db.query<{ version: string }>("select version()");
  const other = otherEngine(product?.version ?? "");
  if (other !== null) {
    return [{ message: `This is ${other} and not PostgreSQL`, hint: "use PostgreSQL 15 or newer" }];
  }
  const [facts] = await db.query<Facts>(
    `select
       current_setting('server_version_num')::int as version,
       current_setting('server_encoding') as encoding,
       exists (select from pg_collation where collname = 'und-x-icu') as icu,
       quote_ident(current_user) as role,
       quote_ident(current_database()) as database,
       current_schema() as schema`,
  );
  if (facts === undefined) throw new Error("PostgreSQL reports nothing about itself");
  const { version, encoding, icu, database } = facts;
  const fixed: (DatabaseProblem | false)[] = [
    version < 150_000 && {
      message: "This PostgreSQL is older than 15",
      hint: "use PostgreSQL 15 or newer",
    },
    encoding !== "UTF8" && {
      message: `The encoding of the database ${database} is ${encoding} instead of UTF8`,
      hint: "create one with: create database … encoding 'UTF8' template template0",
    },
    !icu && {
      message: "This PostgreSQL has no ICU collations",
      hint: "use a PostgreSQL that is built with ICU",
    },
  ];
  return [...fixed.filter((lack) => lack !== false), ...(await settingProblems(db, facts))];
}

interface Facts {
  readonly version: number;
  readonly encoding: string;
  readonly icu: boolean;
  /** The role's name, quoted if necessary. */
  readonly role: string;
  readonly database: string;
  /** The schema in which unqualified names are looked up first. */
  readonly schema: string | null;
}

/** Settings that must be right by default, because not every role may set them for a session. */
const otherSettings = {
  // With any other value triggers and foreign keys have no effect.
  session_replication_role: "origin",
};

async function settingProblems(
  db: Queryable,
  { role, schema }: Facts,
): Promise<readonly DatabaseProblem[]> {
  const { search_path, ...settings } = sessionSettings;
  const needed = { ...settings, ...otherSettings };
  const rows = await db.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value
     from json_each_text($1) as needed (name, value)
     where current_setting(name) <> value
     order by name`,
    [JSON.stringify(needed)],
  );
  const wrong = rows.map(({ name, value }) => ({
    message: `${name} is ${value} instead of ${needed[name as keyof typeof needed]}`,
    hint: alterRole(role, name, needed[name as keyof typeof needed]),
  }));
  if (schema === search_path) return wrong;
  return [
    {
      message: `The database looks for the app's tables in the schema ${schema}; a proxy that pools by transaction does not pass search_path on, so the role needs it as a default`,
      hint: alterRole(role, "search_path", search_path),
    },
    ...wrong,
  ];
}

function alterRole(role: string, name: string, value: string): string {
  const quoted = /^\w+$/.test(value) ? value : `'${value}'`;
  return `run in that database: alter role ${role} set ${name} = ${quoted}`;
}
