import { withConnection } from "./migrate/connect.js";

/** The PostgreSQL behind an address, and what it lacks; null for nothing. */
export interface DatabaseServer {
  readonly version: string;
  readonly lacks: string | null;
}

/**
 * Looks whether a PostgreSQL can be used.
 *
 * @throws {MigrationError} when it cannot be reached.
 */
export function checkServer(url: string): Promise<DatabaseServer> {
  return withConnection({ url }, async (db) => {
    const [row] = await db.query<{ version: string; old: boolean; utf8: boolean; icu: boolean }>(
      `select
         current_setting('server_version') as version,
         current_setting('server_version_num')::int < 150000 as old,
         current_setting('server_encoding') = 'UTF8' as utf8,
         exists (select from pg_collation where collname = 'und-x-icu') as icu`,
    );
    if (row === undefined) throw new Error("PostgreSQL does not tell its version");
    const { version, old, utf8, icu } = row;
    if (old) return { version, lacks: "MERGE (PostgreSQL 15)" };
    if (!utf8) return { version, lacks: "the encoding UTF8 in this database" };
    return { version, lacks: icu ? null : "ICU collations" };
  });
}
