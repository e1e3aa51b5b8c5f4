import { randomUUID } from "node:crypto";
import { lstat, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/index.js";
import { reasonOf } from "../../errors/index.js";
import { isMissing, makePartialFolder, partialFolder, removeOld, writeNew } from "./partial.js";
import { storeFrom } from "./source.js";
import { type Source, StorageError } from "./storage.js";

/** Temporary files for processing before the result is stored. */
export interface Spool {
  /**
   * Writes the source's bytes to a file. Errors of the source are rethrown unchanged; throws a `StorageError` if the
   * file cannot be written, for example because the disk is full. A failure leaves no file.
   */
  keep(source: Source): Promise<SpooledFile>;
  /** Removes files that a crash left behind: all last written before this time. */
  sweep(before: Date): Promise<void>;
}

export interface SpooledFile {
  /** Absolute path. */
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Opens the spool: next to files stored on disk, or for a bucket, in a separate folder of the system's temporary one.
 */
export function openSpool({ storage }: Pick<Config["uploads"], "storage">): Spool {
  const isOnDisk = storage.driver === "disk";
  const folder = isOnDisk ? partialFolder(storage.path) : temporaryFolder();

  /**
   * Refuses a folder that another user created in the temporary one, or a link, by which files could be read or
   * destroyed.
   */
  async function refuseForeign(): Promise<void> {
    if (isOnDisk || (await isOwnFolder(folder))) return;
    throw new StorageError(`${folder} must be a folder owned by the server's user; remove it`);
  }

  return {
    async keep(source) {
      const path = join(folder, `spooled-${randomUUID()}`);
      await storeFrom(source, failure, async (bytes) => {
        await makePartialFolder(folder);
        await refuseForeign();
        await writeNew(path, bytes, { mode: 0o600, isLasting: false });
      });
      return { path, remove: () => rm(path, { force: true }) };
    },

    async sweep(before) {
      try {
        await refuseForeign();
        await removeOld(folder, before);
      } catch (error) {
        if (!isMissing(error)) throw failure(error);
      }
    },
  };

  function failure(error: unknown): StorageError {
    if (error instanceof StorageError) return error;
    return new StorageError(`files cannot be processed in ${folder}: ${reasonOf(error)}`);
  }
}

/** A folder per user of the machine, since servers of different users cannot share one. */
function temporaryFolder(): string {
  return join(tmpdir(), `service-uploads-${process.getuid?.() ?? "own"}`);
}

async function isOwnFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
}
