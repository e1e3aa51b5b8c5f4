import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Database } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import { hasDigest, removeObjectsNow, type Uploads } from "../../uploads/index.js";
import type { Problem } from "../../values/problem.js";
import { isMap, type SeedRecord } from "./read.js";

/** Files next to the seed files. */
export interface SeedStorage {
  /** The record's value for a field with `{ file: … }`: `stored` if that file has the same bytes. */
  keyOf(record: SeedRecord, key: string, stored: string | null): Promise<StoredKey>;
  /** The number of stored files. */
  readonly count: number;
  /** Removes the stored files. */
  discard(): Promise<void>;
}

export type StoredKey = { readonly key: string } | { readonly problem: Problem };

/** Whether a value is `{ file: … }`. */
export function isFile(value: unknown): value is { readonly file: unknown } {
  return isMap(value) && Object.hasOwn(value, "file");
}

interface StorageOptions {
  readonly services: Services;
  readonly uploads: Uploads;
  /** The folder of the seed files. */
  readonly folder: string;
}

export function seedStorage({ services, uploads, folder }: StorageOptions): SeedStorage {
  /** Keys stored by this run, by their source. */
  const made = new Map<string, string>();

  async function storedOf(path: string, { resource, field }: Field): Promise<string> {
    const digest = await digestOf(path);
    const name = `${resource}/${field}/${digest.toString("hex")}`;
    const former = made.get(name);
    if (former !== undefined) return former;
    const target = { resource, field, name: basename(path), digest };
    const key = await uploads.storeKnown(createReadStream(path), target);
    made.set(name, key);
    return key;
  }

  return {
    async keyOf(record, key, stored) {
      const value = record.values[key];
      const wrong = (message: string, hint: string | null = null) => ({
        problem: record.problemAt([key], `${key}: ${message}`, hint),
      });
      const { table } = record.definition;
      if (table.columns[key]?.kind !== "file") return wrong("only a file or image has a file");
      const { file, ...others } = isFile(value) ? value : { file: null };
      if (typeof file !== "string" || Object.keys(others).length > 0) {
        return wrong("write the path of one file", "for example: { file: ./pictures/tea.jpg }");
      }
      const path = resolve(folder, file);
      try {
        if (stored !== null && hasDigest(stored, await digestOf(path))) return { key: stored };
        return { key: await storedOf(path, { resource: table.resource, field: key }) };
      } catch (error) {
        const message = messageOf(error, file);
        if (message === null) throw error;
        return wrong(message);
      }
    },
    get count() {
      return made.size;
    },
    async discard() {
      if (made.size === 0) return;
      await forget(services.db, [...made.values()]);
      await removeObjectsNow(services);
    },
  };
}

interface Field {
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
