import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Database } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import { columnOf, kindOf } from "../../resource/index.js";
import { hasDigest, removeObjectsNow, type Uploads } from "../../uploads/index.js";
import type { Problem } from "../../values/problem.js";
import { isMap, type SeedRecord } from "./read.js";

/** Stores the files that seed records refer to. */
export interface SeedStorage {
  /** The record's value for a field with `{ file: … }`: one of the `stored` keys if its file has the same bytes. */
  valueOf(record: SeedRecord, key: string, stored: readonly string[]): Promise<StoredValue>;
  /** The number of stored files. */
  readonly count: number;
  /** Removes the stored files. */
  discard(): Promise<void>;
}

export type StoredValue =
  | { readonly value: string | readonly unknown[] }
  | { readonly problem: Problem };

/** Whether a value is `{ file: … }`, or a list with such values. */
export function hasFile(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isFile) : isFile(value);
}

function isFile(value: unknown): value is { readonly file: unknown } {
  return isMap(value) && Object.hasOwn(value, "file");
}

interface StorageOptions {
  readonly services: Services;
  readonly uploads: Uploads;
  /** The folder of the seed files. */
  readonly folder: string;
}

export function seedStorage({ services, uploads, folder }: StorageOptions): SeedStorage {
  /** Keys stored by this run, by their source; several if one list has several equal files. */
  const made = new Map<string, string[]>();

  async function storedOf(path: string, { resource, field, taken }: Place): Promise<string> {
    const digest = await digestOf(path);
    const name = `${resource}/${field}/${digest.toString("hex")}`;
    const former = made.get(name) ?? [];
    const free = former.find((key) => !taken.has(key));
    if (free !== undefined) return free;
    const target = { resource, field, name: basename(path), digest };
    const key = await uploads.storeKnown(createReadStream(path), target);
    made.set(name, [...former, key]);
    return key;
  }

  /** The key of the file that a value names. */
  async function keyOf(
    { definition: { table }, problemAt }: SeedRecord,
    { key, path: at, value, stored, taken }: NamedFile,
  ): Promise<{ readonly value: string } | { readonly problem: Problem }> {
    const wrong = (message: string, hint: string | null = null) => ({
      problem: problemAt(at, `${at.join(".")}: ${message}`, hint),
    });
    const { file, ...others } = isFile(value) ? value : { file: null };
    if (typeof file !== "string" || Object.keys(others).length > 0) {
      return wrong("write the path of one file", "for example: { file: ./pictures/tea.jpg }");
    }
    const path = resolve(folder, file);
    try {
      if (stored.length > 0) {
        const digest = await digestOf(path);
        const same = stored.find((one) => hasDigest(one, digest) && !taken.has(one));
        if (same !== undefined) return { value: same };
      }
      return { value: await storedOf(path, { resource: table.resource, field: key, taken }) };
    } catch (error) {
      const message = messageOf(error, file);
      if (message === null) throw error;
      return wrong(message);
    }
  }

  return {
    async valueOf(record, key, stored) {
      const value = record.values[key];
      const message = wrongForm(record, key);
      if (message !== null) {
        return { problem: record.problemAt([key], `${key}: ${message}`, null) };
      }
      const taken = new Set<string>();
      const named = { key, stored, taken };
      if (!Array.isArray(value)) return keyOf(record, { ...named, path: [key], value });
      for (const one of value) if (typeof one === "string") taken.add(one);
      const keys: unknown[] = [];
      for (const [at, one] of value.entries()) {
        if (!isFile(one)) {
          keys.push(one);
          continue;
        }
        const found = await keyOf(record, { ...named, path: [key, at], value: one });
        if ("problem" in found) return found;
        keys.push(found.value);
        taken.add(found.value);
      }
      return { value: keys };
    },
    get count() {
      return [...made.values()].flat().length;
    },
    async discard() {
      if (made.size === 0) return;
      await forget(services.db, [...made.values()].flat());
      await removeObjectsNow(services);
    },
  };
}

/** The problem if the field does not accept files, or not in this form (one file, or a list); null otherwise. */
function wrongForm({ definition: { table }, values }: SeedRecord, key: string): string | null {
  const column = columnOf(table, key);
  if (column === null || !kindOf(column).isFile) return "only file and image fields accept a file";
  const { isList } = kindOf(column);
  if (isList === Array.isArray(values[key])) return null;
  return isList ? "write a list of files" : "write one file";
}

/** A value with the path of a file, and its place in the record. */
interface NamedFile {
  readonly key: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly stored: readonly string[];
  /** The keys that the list contains so far; none may be repeated. */
  readonly taken: ReadonlySet<string>;
}

interface Place extends Pick<NamedFile, "taken"> {
  readonly resource: string;
  readonly field: string;
}

/** Bytes of a digest in a key. */
const digestLength = 16;

async function digestOf(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest().subarray(0, digestLength);
}

/** The message about the file; null for an unrelated error. */
function messageOf(error: unknown, file: string): string | null {
  if (error instanceof Refusal && error.status < 500) {
    const [issue] = error.issues ?? [];
    return issue !== undefined && "path" in issue ? issue.message : error.message;
  }
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return `there is no file ${file}`;
  if (code === "EISDIR") return `${file} is a folder`;
  return code === "EACCES" ? `${file} cannot be read` : null;
}

async function forget(db: Database, keys: readonly string[]): Promise<void> {
  await db.query("delete from service.uploads where key = any($1) and unused_since is not null", [
    keys,
  ]);
}
