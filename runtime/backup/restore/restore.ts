import type { Config } from "../../config/index.js";
import { type Database, withSession } from "../../db/index.js";
import {
  type MigrationFile,
  migrate,
  migrationKey,
  readLedger,
  readMigrations,
} from "../../migrate/index.js";
import { acceptedKeys } from "../../secret/index.js";
import { type FieldOfFile, removeObjectsNow, withFileStores } from "../../uploads/index.js";
import { type Archive, openArchive } from "../archive/open.js";
import { BackupProblem } from "../archive/problem.js";
import { findTables, type JoinTables, type ResourceNames, withoutEntries } from "../tables/find.js";
import { announceFiles, discardFiles, refuseFullDisk } from "./files.js";
import { loadArchive } from "./load.js";
import { described, type SplitMigrations, splitMigrations } from "./migrations.js";
import { refuseOutsideRows } from "./outside.js";
import { returnToSchema } from "./schema.js";
import {
  contentsOf,
  isRestored,
  refuseContents,
  refuseOtherTables,
  unmarkRestored,
} from "./target.js";
import { type Listener, type VerifiedArchive, verifyArchive } from "./verify.js";

export interface RestoreRequest {
  readonly config: Config;
  readonly db: Database;
  readonly directory: string;
  readonly path: string;
  /** Called if the archive is encrypted. */
  readonly passphrase: () => Promise<string>;
  /** Whether existing records and accounts may be replaced. */
  readonly isReplacing: boolean;
  /** The names of resources, for messages. */
  readonly names: ResourceNames;
  readonly joins: JoinTables;
  /** Whether to verify the archive only. */
  readonly isDry: boolean;
  /** Whether files of that field are always served as downloads. */
  isAttachment(field: FieldOfFile): boolean;
  /** Whether values that the secret cannot decrypt are accepted. */
  readonly takesOtherSecret: boolean;
  readonly onWarning: (sentence: string) => void;
  /** Called before each of the two passes over the archive: to verify it and to load it. */
  readonly onWork: (work: "verify" | "load") => Progress;
}

/** Receives the number of rows and files so far, and the fraction of the archive that was read. */
export type Progress = (done: number, part: number) => void;

/** The result of a restore; for a dry run, the expected result. */
export interface Restored {
  /** Number of rows of each table: `public.products`. */
  readonly rows: ReadonlyMap<string, number>;
  readonly files: number;
  /** The names of the migrations that were applied after loading. */
  readonly migrated: readonly string[];
}

/**
 * Verifies an archive completely, then restores it. Can be run again after an interruption.
 *
 * @throws {BackupProblem} if the archive, the app, the database or the secret prevents it.
 * @throws {StorageError} if files cannot be stored.
 */
export async function restoreArchive(request: RestoreRequest): Promise<Restored> {
  const { db, path, passphrase, isReplacing, directory, joins } = request;
  const archive = await openArchive(path, passphrase);
  try {
    const verified = await verifyArchive(archive, counting(archive, request.onWork("verify")));
    const files = await readMigrations(directory);
    const split = splitMigrations(files, verified.manifest.migrations);
    const done = await isRestored(db, verified.digest);
    if (!done) {
      await refuseRequest(request, verified, split);
      if (!request.isDry) await load(request, { archive, verified }, split);
    }
    if (!request.isDry) await finish(request, files);
    const migrated = split.later.map(({ name }) => name);
    const rows = withoutEntries(verified.rows, joins, (name) => verified.manifest.tables[name]);
    return { rows, files: verified.files.size, migrated };
  } finally {
    await archive.close();
  }

  async function refuseRequest(
    { config, takesOtherSecret, names }: RestoreRequest,
    verified: VerifiedArchive,
    { earlier, later }: SplitMigrations,
  ): Promise<void> {
    if (isReplacing && later.length > 0) {
      throw new BackupProblem(
        `The archive is older than the app: it lacks ${later.map(described).join(", ")}`,
        "restore it into an empty database, without --replace",
      );
    }
    if (!takesOtherSecret) refuseOtherSecret(config, verified);
    if (!isReplacing) refuseContents(await contentsOf(db, names));
    if (await hasExactly(db, earlier)) {
      const tables = await findTables(db, joins);
      refuseOtherTables(tables, verified);
      if (isReplacing) await refuseOutsideRows(db, tables);
    }
    await refuseFullDisk(config, verified);
  }
}

/** Whether the tables are exactly those that these migrations create. */
async function hasExactly(db: Database, migrations: readonly MigrationFile[]): Promise<boolean> {
  const applied = (await readLedger(db)).map(migrationKey);
  const wanted = new Set(migrations.map(migrationKey));
  return applied.length === wanted.size && applied.every((key) => wanted.has(key));
}

/** Converts the bytes and rows read into progress; the fraction is of the bytes of the archive's file. */
function counting({ bytes }: Archive, progress: Progress): Listener {
  let done = 0;
  let read = 0;
  return {
    onRead(at) {
      read = at;
    },
    onCount(count) {
      done += count;
      progress(done, bytes === 0 ? 1 : read / bytes);
    },
  };
}

function refuseOtherSecret(config: Config, { sealedBy }: VerifiedArchive): void {
  const own = new Set(acceptedKeys(config, "seal").map(({ id }) => id.toString("hex")));
  if ([...sealedBy].every((id) => own.has(id))) return;
  throw new BackupProblem(
    "The archive has values that neither SERVICE_SECRET nor SERVICE_SECRET_PREVIOUS decrypts",
    "set SERVICE_SECRET_PREVIOUS to the secret of the app that created it, or discard the second steps of its accounts: --other-secret",
  );
}

/** Loads the archive into the schema that it was made from. */
async function load(
  request: RestoreRequest,
  { archive, verified }: { readonly archive: Archive; readonly verified: VerifiedArchive },
  split: SplitMigrations,
): Promise<void> {
  const { config, db, directory, isReplacing, names, joins, isAttachment } = request;
  const { onWarning, onWork } = request;
  const { url } = config.database;
  await returnToSchema(db, split, { names, joins });
  await migrate({ url, directory, files: split.earlier, onWarning });
  const announced = await announceFiles({ config, db }, verified);
  try {
    await withFileStores(config.uploads, ({ storage }) =>
      withSession(config.database, (session) =>
        loadArchive({
          ...{ session, storage, config, archive, verified, isReplacing, names, joins },
          isAttachment,
          ...counting(archive, onWork("load")),
        }),
      ),
    );
  } catch (error) {
    await discardFiles({ config, db }, announced);
    // The database was empty; its previous schema is restored.
    if (split.later.length > 0) await migrate({ url, directory, onWarning }).catch(() => {});
    throw error;
  }
}

/** The steps after the commit, which are repeated if an earlier run was interrupted during them. */
async function finish(
  { config, db, directory, onWarning }: RestoreRequest,
  files: readonly MigrationFile[],
): Promise<void> {
  await migrate({ url: config.database.url, directory, files, onWarning });
  const reason = await removeObjectsNow({ config, db });
  if (reason !== null) onWarning(`Previous files are still in the storage: ${reason}`);
  await unmarkRestored(db);
}
