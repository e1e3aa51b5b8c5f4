import { pipeline } from "node:stream/promises";
import type { Config } from "../../config/index.js";
import { messageOf, type Session, sqlState } from "../../db/index.js";
import {
  type FieldOfFile,
  renewAddresses,
  type Storage,
  writeArchivedObject,
} from "../../uploads/index.js";
import { filePrefix, tablePrefix } from "../archive/manifest.js";
import type { Archive } from "../archive/open.js";
import { BackupProblem } from "../archive/problem.js";
import { damaged, type TarEntry } from "../archive/read-tar.js";
import { columnList, rowsIn } from "../tables/copied-rows.js";
import {
  countedTable,
  type FoundTables,
  findTables,
  type JoinTables,
  type ResourceNames,
} from "../tables/find.js";
import { keptTables } from "../tables/package-tables.js";
import { checked } from "./check.js";
import { keepFormerObjects, listFormerObjects } from "./former.js";
import { suspendRules } from "./rules.js";
import { moveSequences } from "./sequences.js";
import { contentsOf, markRestored, refuseContents, refuseOtherTables } from "./target.js";
import { type Listener, refuseOtherCount, type VerifiedArchive } from "./verify.js";

export interface Loading extends Listener {
  readonly session: Session;
  readonly storage: Storage;
  readonly config: Pick<Config, "uploads">;
  /** Whether files of that field are always served as downloads. */
  isAttachment(field: FieldOfFile): boolean;
  readonly archive: Archive;
  readonly verified: VerifiedArchive;
  /** Whether existing records and accounts may be replaced. */
  readonly isReplacing: boolean;
  readonly names: ResourceNames;
  readonly joins: JoinTables;
}

/**
 * Replaces everything in the database with the archive's contents, in one transaction, and writes its files before the
 * commit. The previous files are then recorded as unused.
 *
 * @throws {BackupProblem} if the tables are in use or differ from the archive's, or its rows break a rule.
 */
export async function loadArchive(loading: Loading): Promise<void> {
  const { session, isReplacing, verified, names, joins } = loading;
  try {
    await session.query("begin");
    await session.query("set local service.keeps_updated_at to on");
    const tables = await findTables(session, joins);
    refuseOtherTables(tables, verified);
    const all = [...tables.archived.map(({ sql }) => sql), ...tables.passing];
    await lockAll(session, all);
    if (!isReplacing) refuseContents(await contentsOf(session, names));
    await listFormerObjects(session);
    const resumeRules = await suspendRules(session, all);
    await session.query(`truncate ${all.join(", ")}`);
    await loadEntries(loading, tables);
    await finishTables(loading, tables);
    await resumeRules();
    await moveSequences(
      session,
      tables.archived.map(({ sql }) => sql),
    );
    await recount(session);
    await reindex(session);
    await beginLog(session);
    await markRestored(session, verified.digest);
    await session.query("commit");
    await session.query(`analyze ${all.join(", ")}`);
  } catch (error) {
    throw problemOf(error);
  }
}

/**
 * Starts a new log of changes, in which earlier positions are unknown. Its numbers continue after those of the
 * histories.
 */
async function beginLog(session: Session): Promise<void> {
  await session.query(
    `update service.change_counter
     set log = gen_random_uuid(), n = last, kept_after = last
     from (
       select greatest(one.n, (select max(changes.n) from service.changes)) as last
       from service.change_counter as one
     ) as counted`,
  );
}

async function lockAll(session: Session, tables: readonly string[]): Promise<void> {
  await session.query("set local lock_timeout to '10s'");
  await session.query(`lock table ${tables.join(", ")} in access exclusive mode`);
  await session.query("set local lock_timeout to 0");
}

/**
 * Loads the entries. The archive is already verified; its sums are compared again, because the file may have changed
 * since.
 */
async function loadEntries(loading: Loading, tables: FoundTables): Promise<void> {
  const { archive, verified, onRead } = loading;
  let entries = 0;
  for await (const entry of archive.entries(onRead)) {
    entries += 1;
    if (entry.name.startsWith(tablePrefix)) await loadTable(loading, tables, entry);
    else if (entry.name.startsWith(filePrefix)) await loadFile(loading, entry);
  }
  // The list of sums has no sum for itself.
  if (entries !== verified.sums.size + 1) throw changed();
}

async function loadTable(
  { session, verified, onCount }: Loading,
  { archived }: FoundTables,
  entry: TarEntry,
): Promise<void> {
  const name = entry.name.slice(tablePrefix.length);
  const table = archived.find((one) => one.name === name);
  const columns = verified.manifest.tables[name];
  if (table === undefined || columns === undefined) throw changed();
  const counted = async function* () {
    for await (const chunk of checked(entry, verified.sums.get(entry.name))) {
      onCount(rowsIn(chunk));
      yield chunk;
    }
  };
  const copy = session.copyIn(`${table.sql} (${columnList(columns)})`);
  await pipeline(counted, copy);
  refuseOtherCount(name, copy.rowCount, verified.rows.get(name));
}

async function loadFile(
  { session, storage, isAttachment, verified, onCount }: Loading,
  entry: TarEntry,
): Promise<void> {
  const key = entry.name.slice(filePrefix.length);
  const sum = verified.sums.get(entry.name);
  if (sum === undefined || !verified.files.has(key)) throw changed();
  const bytes = checked(entry, sum);
  const isKnown = await writeArchivedObject(
    { db: session, storage, isAttachment },
    { key, bytes, sum },
  );
  if (!isKnown) throw damaged(`no upload refers to ${entry.name}`);
  onCount(1);
}

function changed(): BackupProblem {
  return damaged("it was changed while it was being read");
}

async function finishTables({ session, storage, config }: Loading, tables: FoundTables) {
  await keepFormerObjects(session, storage);
  const names = new Set(tables.archived.map(({ name }) => name));
  for (const [table, { afterwards }] of Object.entries(keptTables)) {
    if (afterwards !== undefined && names.has(`service.${table}`)) await session.query(afterwards);
  }
  await renewAddresses(session, config);
}

/** Recounts the tallies, because the triggers were disabled. */
async function recount(session: Session): Promise<void> {
  const tallies = await session.query<{ table: string }>(
    `select table_name as "table"
     from service.tallies
     where to_regclass(${countedTable}) is not null
     order by table_name`,
  );
  for (const { table } of tallies) await session.query("call service.recount($1)", [table]);
}

/** Indexes the words of all rows, because the triggers were disabled. */
async function reindex(session: Session): Promise<void> {
  const indexes = await session.query<{ table: string }>(
    `select table_name as "table" from service.word_indexes order by table_name`,
  );
  for (const { table } of indexes) await session.query("call service.refill_words($1)", [table]);
}

/** Returns a problem that the user can fix for a known error, otherwise the error itself. */
function problemOf(error: unknown): unknown {
  const state = sqlState(error);
  if (state === null) return error;
  const message = messageOf(error);
  if (state === "55P03") {
    return new BackupProblem("The tables are in use", "stop the servers, and restore again");
  }
  if (state.startsWith("22") || state.startsWith("23")) {
    return new BackupProblem(
      `The rows of the archive cannot be loaded: ${message}`,
      "restore it with the release of the app that made it",
    );
  }
  // The role does not own one of these tables, or a table with a foreign key to one of them.
  if (state === "0A000" || state === "42501") {
    return new BackupProblem(
      `PostgreSQL refuses: ${message}`,
      "the role in DATABASE_URL must own the app's tables, and those with a foreign key to one of them",
    );
  }
  return error;
}
