import type { Buffer } from "node:buffer";
import { createRequire } from "node:module";
import type { Config } from "../../config/index.js";
import { type Queryable, type Session, withSession } from "../../db/index.js";
import { type LedgerRow, readLedger } from "../../migrate/index.js";
import {
  openArchivedObject,
  type Storage,
  storedObjects,
  withFileStores,
} from "../../uploads/index.js";
import {
  filePrefix,
  manifestName,
  sumsName,
  writeManifest,
  writeSums,
} from "../archive/manifest.js";
import { archiveOf, newTar } from "../archive/write.js";
import { type FoundTables, type JoinTables, withoutEntries } from "../tables/find.js";
import { rememberBackup } from "./last.js";
import { beginSnapshot, type MeasuredTable, measureTable, tableEntry } from "./tables.js";

export interface BackupRequest {
  readonly config: Pick<Config, "database" | "uploads">;
  /** Sees later commits, which the snapshot does not. */
  readonly db: Queryable;
  readonly madeAt: Date;
  /** The resources with record histories, according to the descriptors. */
  readonly histories: readonly string[];
  readonly joins: JoinTables;
  /** Encrypts the archive; null to leave it unencrypted. */
  readonly passphrase: string | null;
  /** Receives the number of rows and files so far, and the fraction of all bytes. */
  readonly onProgress: (done: number, part: number) => void;
  /** Resolves once the archive is at its destination. */
  readonly write: (archive: AsyncIterable<Uint8Array>) => Promise<void>;
}

export interface Backup {
  /** The size of the archive in bytes. */
  readonly bytes: number;
  /** Number of rows of each table: `public.products`. */
  readonly rows: ReadonlyMap<string, number>;
  readonly files: number;
  /** Tables that are not archived, because no migration created them. */
  readonly unmanaged: readonly string[];
  /** Keys of files that are missing or incomplete in the storage. */
  readonly missing: readonly string[];
}

/**
 * Writes an archive of all records, accounts and files, and records its time.
 *
 * @throws {BackupProblem} if the tables are being altered.
 * @throws {StorageError} if files cannot be read.
 */
export function saveBackup(request: BackupRequest): Promise<Backup> {
  const { config, madeAt, histories, joins, passphrase, write } = request;
  return withFileStores(config.uploads, ({ storage }) =>
    withSession(config.database, async (session) => {
      const tables = await beginSnapshot(session, { histories, joins });
      const migrations = await readLedger(session);
      const measured: MeasuredTable[] = [];
      for (const table of tables.archived) measured.push(await measureTable(session, table));
      const found = { files: 0, missing: [] as string[] };
      let bytes = 0;
      const counted = async function* (archive: AsyncIterable<Uint8Array>) {
        for await (const chunk of archive) {
          bytes += chunk.length;
          yield chunk;
        }
      };
      const tar = tarOf({ ...request, session, storage, tables, migrations, measured, found });
      await write(counted(await archiveOf(tar, passphrase)));
      await session.query("commit");
      await rememberBackup(session, madeAt);
      const rows = withoutEntries(
        rowsOf(measured),
        joins,
        (name) => tables.archived.find((table) => table.name === name)?.columns,
      );
      return { bytes, rows, unmanaged: tables.unmanaged, ...found };
    }),
  );
}

interface Saving extends BackupRequest {
  readonly session: Session;
  readonly storage: Storage;
  readonly tables: FoundTables;
  readonly migrations: readonly LedgerRow[];
  readonly measured: readonly MeasuredTable[];
  /** Updated as files are found. */
  readonly found: { files: number; readonly missing: string[] };
}

async function* tarOf(saving: Saving): AsyncGenerator<Buffer> {
  const { session, measured, madeAt } = saving;
  const tar = newTar(madeAt);
  const progress = await newProgress(saving);
  yield* tar.text(manifestName, manifestOf(saving));
  for (const one of measured) yield* tableEntry({ tar, session }, one, progress);
  for await (const object of storedObjects(session)) {
    const whole = await openArchivedObject(saving.storage, object);
    if (whole === null) {
      if (await isStored(saving.db, object.key)) saving.found.missing.push(object.key);
      continue;
    }
    const { bytes, size } = whole;
    yield* tar.entry({ name: filePrefix + object.key, size, bytes });
    saving.found.files += 1;
    progress(size, 1);
  }
  yield* tar.text(sumsName, writeSums(tar.sums, rowsOf(measured)));
  yield tar.end();
}

function manifestOf({ madeAt, migrations, tables }: Saving): string {
  const { version } = createRequire(import.meta.url)("service-runtime/package.json");
  return writeManifest({
    service: version,
    createdAt: madeAt.toISOString(),
    migrations: migrations.map(({ source, name, checksum }) => ({ source, name, checksum })),
    tables: Object.fromEntries(tables.archived.map(({ name, columns }) => [name, [...columns]])),
  });
}

/** Whether the file still exists outside the snapshot: pruning may run concurrently. */
async function isStored(db: Queryable, key: string): Promise<boolean> {
  const found = await db.query("select from service.stored_objects where key = $1", [key]);
  return found.length > 0;
}

function rowsOf(measured: readonly MeasuredTable[]): ReadonlyMap<string, number> {
  return new Map(measured.map(({ table, rows }) => [table.name, rows]));
}

async function newProgress({ session, measured, onProgress }: Saving) {
  const [row] = await session.query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::float8 as bytes
     from service.stored_objects
     where upload_key is not null`,
  );
  const total = measured.reduce((sum, { bytes }) => sum + bytes, row?.bytes ?? 0);
  let read = 0;
  let done = 0;
  return (bytes: number, count: number) => {
    read += bytes;
    done += count;
    onProgress(done, total === 0 ? 1 : read / total);
  };
}
