import type { Access } from "../../db/index.js";
import {
  appliedMigrations,
  type MigrationName,
  migrationsOf,
  notApplied,
  type Release,
} from "../../migrate/at-start.js";
import { allRows, type ResourceDefinition, tallied } from "../../resource/index.js";

/** The database's part of the status. */
export interface Stored {
  readonly database: {
    readonly version: string;
    readonly bytes: number;
    /** The connections of all applications to the database server. */
    readonly connections: number;
    readonly maxConnections: number;
  };
  readonly migrations: { readonly applied: number; readonly pending: number };
  readonly tables: readonly {
    readonly resource: string;
    readonly rows: number;
    readonly bytes: number;
  }[];
  readonly storage: { readonly files: number; readonly bytes: number };
  readonly mails: { readonly waiting: number };
}

type StatusDatabase = Pick<Access, "query" | "read">;

/** Returns a function that reads the database's part of the status. */
export function storedNumbers(
  db: StatusDatabase,
  {
    release,
    definitions,
  }: { readonly release: Release; readonly definitions: readonly ResourceDefinition[] },
): () => Promise<Stored> {
  const tables = tablesStatement(definitions);
  const storage = sparingly(() => askStorage(db));
  // Files added after startup belong to the next release.
  let files: Promise<readonly MigrationName[]> | null = null;
  return async () => {
    files ??= migrationsOf(release);
    const [database, applied, expected, shown, stored, waiting] = await Promise.all([
      askDatabase(db),
      appliedMigrations(db),
      files,
      tables.text === "" ? [] : db.query<TableRow>(tables.text, tables.values),
      storage(),
      mailsWaiting(db),
    ]);
    return {
      database,
      migrations: {
        applied: applied.length,
        pending: notApplied(expected, applied).length,
      },
      tables: shown.map(({ resource, rows, bytes }) => {
        return { resource, rows: Number(rows), bytes: Number(bytes) };
      }),
      storage: stored,
      mails: { waiting },
    };
  };
}

async function askDatabase(db: StatusDatabase): Promise<Stored["database"]> {
  const [row] = await db.query<Record<string, string>>(
    `select
       current_setting('server_version') as version,
       pg_database_size(current_database()) as bytes,
       (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections') as max`,
  );
  return {
    version: row?.version ?? "",
    bytes: Number(row?.bytes),
    connections: Number(row?.connections),
    maxConnections: Number(row?.max),
  };
}

/** Counts the emails waiting to be sent. */
export async function mailsWaiting(db: Pick<Access, "query">): Promise<number> {
  const [row] = await db.query<{ waiting: string }>(
    "select count(*) as waiting from service.mails where kind <> 'none' and expires_at > now()",
  );
  return Number(row?.waiting);
}

interface TableRow {
  readonly resource: string;
  readonly rows: string;
  readonly bytes: string;
}

/** Builds one statement for the tables of all resources: rows from stored tallies, bytes including indexes. */
function tablesStatement(definitions: readonly ResourceDefinition[]): {
  readonly text: string;
  readonly values: readonly string[];
} {
  const values: string[] = [];
  const parts = definitions.map(({ table }) => {
    const resource = `$${values.push(table.resource)}::text`;
    const name = `$${values.push(table.name)}::text`;
    return `select ${resource} as resource, ${tallied(table, allRows)} as rows,
      coalesce(pg_total_relation_size(to_regclass(${name})), 0) as bytes`;
  });
  return { text: parts.join(" union all "), values };
}

async function askStorage(db: StatusDatabase): Promise<Stored["storage"]> {
  const [row] = await db.read<{ files: string; bytes: string }>({
    text: `select
       (select count(*) from service.uploads) as files,
       (select coalesce(sum(size), 0) from service.stored_objects) as bytes`,
    values: [],
    cost: "scan",
    isVaried: true,
  });
  return { files: Number(row?.files), bytes: Number(row?.bytes) };
}

/** Full table scans take at most a twentieth of the time; in between, the previous numbers are returned. */
const share = 20;

function sparingly<T>(ask: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | null = null;
  let until = 0;
  return () => {
    if (latest !== null && performance.now() < until) return latest;
    const began = performance.now();
    until = Number.POSITIVE_INFINITY;
    const asking = ask().finally(() => {
      until = performance.now() + (performance.now() - began) * share;
    });
    asking.catch(() => {
      latest = null;
    });
    latest = asking;
    return asking;
  };
}
