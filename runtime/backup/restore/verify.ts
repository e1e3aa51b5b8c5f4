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
import { rowCounter, rowReader } from "../tables/copied-rows.js";
import { keptTables } from "../tables/package-tables.js";
import { type EntrySum, otherBytes, summed, textOf } from "./check.js";

/** A complete archive: it contains every byte, row and file that was written, and nothing else. */
export interface VerifiedArchive {
  readonly manifest: Manifest;
  /** SHA-256 in hex of each entry, by name. */
  readonly sums: ReadonlyMap<string, string>;
  /** Number of rows of each table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Whether each file is private, by key. */
  readonly files: ReadonlyMap<string, boolean>;
  /** The total size of all files in bytes. */
  readonly fileBytes: number;
  /** Ids in hex of the keys that encrypted values. */
  readonly sealedBy: ReadonlySet<string>;
  /** SHA-256 in hex of the sums, which identifies the archive. */
  readonly digest: string;
}

export interface Listener {
  /** Receives the number of bytes of the archive's file read so far. */
  readonly onRead: (bytes: number) => void;
  /** Receives the number of rows or files read since the last call. */
  readonly onCount: (count: number) => void;
}

/**
 * Reads an entire archive, keeping only names, sums and counts in memory.
 *
 * @throws {BackupProblem} if it is damaged, or has a higher format.
 */
export async function verifyArchive(
  archive: Archive,
  { onRead, onCount }: Listener,
): Promise<VerifiedArchive> {
  let verification: Verification | null = null;
  let end: { readonly sums: Sums; readonly digest: string } | null = null;
  for await (const entry of archive.entries(onRead)) {
    const { name } = entry;
    const found: Partial<EntrySum> = {};
    if (end !== null) throw damaged(`${name} follows ${sumsName}`);
    if (verification === null) {
      if (name !== manifestName) throw damaged(`${name} precedes ${manifestName}`);
      verification = newVerification(
        readManifest(await textOf(entry, maxManifestBytes, found)),
        onCount,
      );
    } else if (name === sumsName) {
      const sums = readSums(await textOf(entry, maxSumsBytes, found));
      end = { sums, digest: found.sum ?? "" };
      continue;
    } else {
      await verifyEntry(verification, entry, found);
    }
    if (verification.sums.has(name)) throw damaged(`${name} is repeated`);
    verification.sums.set(name, found.sum ?? "");
  }
  if (verification === null || end === null) throw damaged("it is truncated");
  compareSums(verification, end.sums);
  return { ...verification, digest: end.digest };
}

interface Verification {
  readonly manifest: Manifest;
  readonly onCount: Listener["onCount"];
  readonly sums: Map<string, string>;
  readonly rows: Map<string, number>;
  readonly files: Map<string, boolean>;
  readonly sealedBy: Set<string>;
  /** The files that the archive's rows describe. */
  readonly recorded: Map<string, RecordedFile>;
  fileBytes: number;
}

interface RecordedFile {
  readonly size: number;
  readonly isPrivate: boolean;
}

function newVerification(manifest: Manifest, onCount: Listener["onCount"]): Verification {
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

function verifyEntry(
  verification: Verification,
  entry: TarEntry,
  found: Partial<EntrySum>,
): Promise<void> {
  if (entry.name.startsWith(tablePrefix)) return verifyTable(verification, entry, found);
  if (entry.name.startsWith(filePrefix)) return verifyFile(verification, entry, found);
  throw damaged(`${entry.name} does not belong in it`);
}

async function verifyTable(
  verification: Verification,
  entry: TarEntry,
  found: Partial<EntrySum>,
): Promise<void> {
  const table = entry.name.slice(tablePrefix.length);
  const columns = Object.hasOwn(verification.manifest.tables, table)
    ? verification.manifest.tables[table]
    : undefined;
  if (columns === undefined || !isArchived(table)) {
    throw damaged(`${entry.name} does not belong in it`);
  }
  if (verification.files.size > 0) throw damaged(`${entry.name} follows a file`);
  const look = lookInto(verification, table, columns);
  const counter = rowCounter(verification.onCount);
  for await (const chunk of summed(entry, found)) {
    counter.read(chunk);
    look?.read(chunk);
  }
  look?.end();
  verification.rows.set(table, counter.end());
}

/** Whether an archive may have the table: one of the package is listed, and adopted ones are in any other schema. */
function isArchived(table: string): boolean {
  const [schema = "", name = ""] = table.split(".");
  if (schema === "service") return Object.hasOwn(keptTables, name);
  return !/^(?:pg_|information_schema$)/.test(schema);
}

/** A reader of the rows that describe files or have encrypted values, for later checks; null for other tables. */
function lookInto({ recorded, sealedBy }: Verification, table: string, columns: readonly string[]) {
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
      // `\x01` and the four bytes of the key's id: see `keyIdOf` in `runtime/secret/encryption.ts`.
      if (value !== null && value !== undefined) sealedBy.add(value.slice(4, 12));
    }
  });
}

async function verifyFile(
  verification: Verification,
  entry: TarEntry,
  found: Partial<EntrySum>,
): Promise<void> {
  const key = entry.name.slice(filePrefix.length);
  if (!isKey(key)) throw damaged(`${entry.name} is not the name of an app's file`);
  const recorded = verification.recorded.get(key);
  if (recorded === undefined) throw damaged(`no row describes ${entry.name}`);
  if (recorded.size !== entry.size) {
    throw damaged(`${entry.name} has ${entry.size} bytes, but its row records ${recorded.size}`);
  }
  for await (const _ of summed(entry, found));
  verification.files.set(key, recorded.isPrivate);
  verification.fileBytes += entry.size;
  verification.onCount(1);
}

function compareSums({ manifest, sums, rows }: Verification, written: Sums): void {
  for (const name of Object.keys(written.sums)) {
    if (!sums.has(name)) throw damaged(`${name} is missing`);
  }
  for (const [name, sum] of sums) {
    if (!Object.hasOwn(written.sums, name)) throw damaged(`${name} does not belong in it`);
    if (written.sums[name] !== sum) throw otherBytes(name);
  }
  for (const table of new Set([...Object.keys(manifest.tables), ...Object.keys(written.rows)])) {
    const found = rows.get(table);
    if (found === undefined) throw damaged(`${tablePrefix}${table} is missing`);
    refuseOtherCount(table, found, written.rows[table]);
  }
}

/**
 * @throws {BackupProblem} if a table's number of rows is not the expected one.
 */
export function refuseOtherCount(table: string, found: number, expected: number | undefined): void {
  if (found === expected) return;
  throw damaged(`${table} has ${found} rows, but the archive records ${expected}`);
}
