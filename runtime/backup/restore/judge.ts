import { isKey } from "../../uploads/index.js";
import {
  filePrefix,
  type Manifest,
  manifestName,
  maxManifestBytes,
  maxSumsBytes,
  readManifest,
  readSums,
  type Sums,
  sumsName,
  tablePrefix,
} from "../archive/manifest.js";
import type { Archive } from "../archive/open.js";
import { damaged, type TarEntry } from "../archive/read-tar.js";
import { rowReader, rowsIn } from "../tables/copy-text.js";
import { keptTables } from "../tables/package-tables.js";
import { type EntrySum, otherBytes, summed, textOf } from "./check.js";

/** An archive that is whole: every byte, row and file is there that was written, and nothing else. */
export interface JudgedArchive {
  readonly manifest: Manifest;
  /** SHA-256 in hex of each entry, by name. */
  readonly sums: ReadonlyMap<string, string>;
  /** Rows of each table. */
  readonly rows: ReadonlyMap<string, number>;
  /** The files, by key, and whether each is private. */
  readonly files: ReadonlyMap<string, boolean>;
  /** Of all files together. */
  readonly fileBytes: number;
  /** Ids in hex of the keys with which values are encrypted. */
  readonly sealedBy: ReadonlySet<string>;
  /** SHA-256 in hex of the sums: no other archive has it. */
  readonly digest: string;
}

/** What is told while an archive is read. */
export interface Listener {
  /** Gets how many bytes of its file were read so far. */
  readonly onRead: (bytes: number) => void;
  /** Gets how many more rows or files were read. */
  readonly onCount: (count: number) => void;
}

/**
 * Reads a whole archive, and keeps none of it but names, sums and counts.
 *
 * @throws {BackupProblem} where it is damaged, or of a higher format.
 */
export async function judgeArchive(
  archive: Archive,
  { onRead, onCount }: Listener,
): Promise<JudgedArchive> {
  let judging: Judging | null = null;
  let end: { readonly sums: Sums; readonly digest: string } | null = null;
  for await (const entry of archive.entries(onRead)) {
    const { name } = entry;
    const found: Partial<EntrySum> = {};
    if (end !== null) throw damaged(`${name} follows ${sumsName}`);
    if (judging === null) {
      if (name !== manifestName) throw damaged(`${name} precedes ${manifestName}`);
      judging = newJudging(readManifest(await textOf(entry, maxManifestBytes, found)), onCount);
    } else if (name === sumsName) {
      const sums = readSums(await textOf(entry, maxSumsBytes, found));
      end = { sums, digest: found.sum ?? "" };
      continue;
    } else {
      await judgeEntry(judging, entry, found);
    }
    if (judging.sums.has(name)) throw damaged(`${name} is there twice`);
    judging.sums.set(name, found.sum ?? "");
  }
  if (judging === null || end === null) throw damaged("it is cut short");
  compareSums(judging, end.sums);
  return { ...judging, digest: end.digest };
}

interface Judging {
  readonly manifest: Manifest;
  readonly onCount: Listener["onCount"];
  readonly sums: Map<string, string>;
  readonly rows: Map<string, number>;
  readonly files: Map<string, boolean>;
  readonly sealedBy: Set<string>;
  /** The files that the rows of the archive tell of. */
  readonly recorded: Map<string, RecordedFile>;
  fileBytes: number;
}

interface RecordedFile {
  readonly size: number;
  readonly isPrivate: boolean;
}

function newJudging(manifest: Manifest, onCount: Listener["onCount"]): Judging {
  return {
    manifest,
    onCount,
    sums: new Map(),
    rows: new Map(),
    files: new Map(),
    sealedBy: new Set(),
    recorded: new Map(),
    fileBytes: 0,
  };
}

function judgeEntry(judging: Judging, entry: TarEntry, found: Partial<EntrySum>): Promise<void> {
  if (entry.name.startsWith(tablePrefix)) return judgeTable(judging, entry, found);
  if (entry.name.startsWith(filePrefix)) return judgeFile(judging, entry, found);
  throw damaged(`${entry.name} does not belong in it`);
}

async function judgeTable(
  judging: Judging,
  entry: TarEntry,
  found: Partial<EntrySum>,
): Promise<void> {
  const table = entry.name.slice(tablePrefix.length);
  const columns = Object.hasOwn(judging.manifest.tables, table)
    ? judging.manifest.tables[table]
    : undefined;
  if (columns === undefined || !isArchived(table)) {
    throw damaged(`${entry.name} does not belong in it`);
  }
  if (judging.files.size > 0) throw damaged(`${entry.name} follows a file`);
  const look = lookInto(judging, table, columns);
  let rows = 0;
  for await (const chunk of summed(entry, found)) {
    const count = rowsIn(chunk);
    rows += count;
    judging.onCount(count);
    look?.(chunk);
  }
  judging.rows.set(table, rows);
}

function isArchived(table: string): boolean {
  const [schema, name = ""] = table.split(".");
  return schema === "public" || (schema === "service" && Object.hasOwn(keptTables, name));
}

/** Notes what later entries, and the secret, have to fit; null for a table that has nothing of it. */
function lookInto({ recorded, sealedBy }: Judging, table: string, columns: readonly string[]) {
  if (table === "service.stored_objects") {
    return rowReader(columns, (row) => {
      const [key, size] = [row.get("key"), row.get("size")];
      const isOwned = row.get("upload_key") !== null;
      if (key === null || key === undefined || size === null || !isOwned) return;
      recorded.set(key, { size: Number(size), isPrivate: row.get("is_private") === "t" });
    });
  }
  const { sealed = [] } = keptTables[table.slice("service.".length)] ?? {};
  if (!table.startsWith("service.") || sealed.length === 0) return null;
  return rowReader(columns, (row) => {
    for (const column of sealed) {
      const value = row.get(column);
      // `\x01` and four bytes: see `keyIdOf` in `runtime/secret/encryption.ts`.
      if (value !== null && value !== undefined) sealedBy.add(value.slice(4, 12));
    }
  });
}

async function judgeFile(
  judging: Judging,
  entry: TarEntry,
  found: Partial<EntrySum>,
): Promise<void> {
  const key = entry.name.slice(filePrefix.length);
  if (!isKey(key)) throw damaged(`${entry.name} is no name of a file of an app`);
  const recorded = judging.recorded.get(key);
  if (recorded === undefined) throw damaged(`no row tells of ${entry.name}`);
  if (recorded.size !== entry.size) {
    throw damaged(`${entry.name} has ${entry.size} bytes, its row tells of ${recorded.size}`);
  }
  for await (const _ of summed(entry, found));
  judging.files.set(key, recorded.isPrivate);
  judging.fileBytes += entry.size;
  judging.onCount(1);
}

function compareSums({ manifest, sums, rows }: Judging, written: Sums): void {
  for (const name of Object.keys(written.sums)) {
    if (!sums.has(name)) throw damaged(`${name} is missing`);
  }
  for (const [name, sum] of sums) {
    if (!Object.hasOwn(written.sums, name)) throw damaged(`${name} does not belong in it`);
    if (written.sums[name] !== sum) throw otherBytes(name);
  }
  for (const table of new Set([...Object.keys(manifest.tables), ...Object.keys(written.rows)])) {
    const [found, told] = [rows.get(table), written.rows[table]];
    if (found === undefined) throw damaged(`${tablePrefix}${table} is missing`);
    if (found !== told) throw damaged(`${table} has ${found} rows, and was written with ${told}`);
  }
}
