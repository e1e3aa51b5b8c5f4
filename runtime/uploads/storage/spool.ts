import { randomUUID } from "node:crypto";
import { lstat, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/index.js";
import { isMissing, makePartialFolder, partialFolder, removeOld, writeNew } from "./partial.js";
import { storing } from "./source.js";
import { reasonOf, type Source, StorageError } from "./storage.js";

/** Where files wait that are worked on before they are stored. */
export interface Spool {
  /**
   * Keeps what the source yields in a file, all or nothing. What the source throws is passed on as it
   * is; throws a `StorageError` where there is no room.
   */
  keep(source: Source): Promise<SpooledFile>;
  /** Removes what a crash left: all that was last written to before then. */
  sweep(before: Date): Promise<void>;
}

export interface SpooledFile {
  /** Absolute. */
  readonly path: string;
  remove(): Promise<void>;
}

/** Beside the stored files on disk; with a bucket, in a folder of its own below the system's temporary one. */
export function openSpool({ storage }: Pick<Config["uploads"], "storage">): Spool {
  const isOnDisk = storage.driver === "disk";
  const folder = isOnDisk ? partialFolder(storage.path) : temporaryFolder();

  /** In a temporary folder anybody may have made this one, or a link in its place, to read or lose files by. */
  async function refuseForeign(): Promise<void> {
    if (isOnDisk || (await isOwnFolder(folder))) return;
    throw new StorageError(`${folder} is not the server's own folder; remove it`);
  }

  return {
    async keep(source) {
      const path = join(folder, `spooled-${randomUUID()}`);
      await storing(source, failure, async (bytes) => {
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
    return new StorageError(`files cannot be worked on in ${folder}: ${reasonOf(error)}`);
  }
}

/** One for each user of the machine, whose server cannot look into another's. */
function temporaryFolder(): string {
  return join(tmpdir(), `service-uploads-${process.getuid?.() ?? "own"}`);
}

async function isOwnFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
}
