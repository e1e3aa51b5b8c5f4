import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePartialFolder, partialFolder, partialPrefix } from "../partial.js";
import { StorageError } from "../storage.js";
import type { Growing, GrowingFile, GrowingFiles } from "./growing.js";

/** What incomplete files need of the disk's storage. */
export interface DiskWork {
  pathOf(place: string): string;
  makeFolder(folder: string): Promise<void>;
  syncFolder(folder: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Runs the work; converts every error to a storage error. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  readonly fileMode: number;
}

/** Number of bytes after which they are stored durably, and the most that an interruption loses. */
const step = 1024 * 1024;

/** Stores incomplete files on disk: each is one file within the folder of the object, and is renamed at the end. */
export function growingOnDisk(disk: DiskWork): GrowingFiles {
  const { attempt } = disk;

  function partialOf(place: string): string {
    const folder = partialFolder(dirname(disk.pathOf(place)));
    return join(folder, `${partialPrefix(place)}growing`);
  }

  return {
    open: ({ place, kept }) =>
      attempt(async () => {
        const path = partialOf(place);
        await disk.makeFolder(dirname(disk.pathOf(place)));
        await makePartialFolder(dirname(path));
        const handle = await open(path, kept.size === 0 ? "w+" : "r+", disk.fileMode);
        try {
          const { size } = await handle.stat();
          if (size < kept.size) throw new StorageError(`${path} has lost bytes`);
          await handle.truncate(kept.size);
          return fileOf(handle, kept.size, attempt);
        } catch (error) {
          await handle.close();
          throw error;
        }
      }),

    finish: ({ place }) =>
      attempt(async () => {
        const path = disk.pathOf(place);
        const partial = partialOf(place);
        if (!(await disk.exists(partial))) return disk.exists(path);
        await rename(partial, path);
        await disk.syncFolder(dirname(path));
        return true;
      }),

    async removeParts() {},
  };
}

function fileOf(handle: FileHandle, from: Growing["kept"]["size"], attempt: DiskWork["attempt"]) {
  let size = from;
  let isKept = true;
  const file: GrowingFile = {
    opening: (bytes) =>
      attempt(async () => {
        const buffer = Buffer.alloc(Math.min(bytes, size));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
        if (bytesRead < buffer.length) throw new StorageError("the file has lost bytes");
        return buffer;
      }),
    room: () => step - (size % step),
    add: (bytes) =>
      attempt(async () => {
        isKept = false;
        for (let done = 0; done < bytes.length; ) {
          const left = bytes.length - done;
          const { bytesWritten } = await handle.write(bytes, done, left, size);
          done += bytesWritten;
          size += bytesWritten;
        }
      }),
    keep: () =>
      attempt(async () => {
        if (!isKept) await handle.datasync();
        isKept = true;
        return { size, parts: null };
      }),
    async tidy() {},
    close: () => attempt(() => handle.close()),
  };
  return file;
}
