import type { Config } from "../../../config/index.js";
import type { Access } from "../../../db/index.js";
import type { Finding } from "../../report.js";
import { ok, problem } from "../finding.js";

const check = "connections";

/**
 * Besides the pool, lookups and pages have one connection each, and so does the monitor of locks that hooks wait for.
 */
const besidesPool = 3;
/** Number of connections of the process that prunes uploads. */
const ofPruning = 2;

/** Checks whether PostgreSQL allows as many connections as this machine's processes may open. */
export async function checkConnections(
  db: Pick<Access, "query">,
  { database: { poolSize, prepare }, server: { workers } }: Config,
): Promise<Finding> {
  // A proxy shares a few connections among all processes.
  if (!prepare) return ok(check, "shared by a proxy (database.prepare is false)");
  const needed = workers * (poolSize + besidesPool) + ofPruning;
  const processes = workers === 1 ? "one process" : `${workers} processes`;
  const { name, most, reserved } = await smallestLimit(db);
  const free = most - reserved;
  const found = `${processes} of the server may open ${needed} connections in all; ${name} allows ${free}`;
  if (needed <= free) return ok(check, found);
  const pool = Math.floor((free - ofPruning) / workers) - besidesPool;
  const smaller = pool < 1 ? "" : `set database.pool_size to ${pool}, or `;
  return problem(check, found, `${smaller}run: ${raise(name, needed + reserved)}`);
}

interface Limit {
  readonly name: string;
  readonly most: number;
  /** Number of connections reserved for superusers, and for roles with `pg_use_reserved_connections`. */
  readonly reserved: number;
}

async function smallestLimit(db: Pick<Access, "query">): Promise<Limit> {
  const [row] = await db.query<Record<string, string>>(
    `select
       current_setting('max_connections') as max,
       current_setting('superuser_reserved_connections')::int
         + coalesce(current_setting('reserved_connections', true), '0')::int as reserved,
       (select rolconnlimit from pg_roles where rolname = current_user) as role,
       (select datconnlimit from pg_database where datname = current_database()) as database,
       quote_ident(current_user) as role_name,
       quote_ident(current_database()) as database_name`,
  );
  const all: readonly Limit[] = [
    { name: "max_connections", most: Number(row?.max), reserved: Number(row?.reserved) },
    { name: `role ${row?.role_name}`, most: Number(row?.role), reserved: 0 },
    { name: `database ${row?.database_name}`, most: Number(row?.database), reserved: 0 },
  ];
  const [first, ...others] = all
    // A negative limit means unlimited.
    .filter(({ most }) => most >= 0)
    .sort((one, other) => one.most - one.reserved - (other.most - other.reserved));
  return first ?? others[0] ?? { name: "max_connections", most: 0, reserved: 0 };
}

function raise(name: string, most: number): string {
  if (name !== "max_connections") {
    return `npx service db psql -c 'alter ${name} connection limit ${most}'`;
  }
  return `npx service db psql -c 'alter system set max_connections = ${most}', and restart PostgreSQL`;
}
