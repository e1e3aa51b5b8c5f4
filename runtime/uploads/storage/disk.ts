import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  rename,
  rm,
  unlink,
} from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { reasonOf } from "../../errors/index.js";
import { growingOnDisk } from "./growing/on-disk.js";
import { assertPlace } from "./key.js";
import {
  hasCode,
  isMissing,
  makePartialFolder,
  partialFolder,
  partialPrefix,
  removeNamed,
  writeNew,
} from "./partial.js";
import { storeFrom } from "./source.js";
import { type ByteRange, type Storage, StorageError } from "./storage.js";

/**
 * The server may write; its group, such as a backup or a web server in front of it, may read. Other users of the
 * machine may not: a directory listing shows all keys, and a file may be read only with its key.
 */
const folderMode = 0o750;
const fileMode = 0o640;

/**
 * Stores files in a folder, with their keys as paths. Subfolders are created when needed and stay when empty: there is
 * one for each month and field. Symbolic links to files are not followed. Folders may be links, even to other file
 * systems: a file is written within its own folder and then renamed.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the operations of one storage
export function openDisk(root: string): Storage {
  function pathOf(key: string): string {
    assertPlace(key, "");
    return join(root, key);
  }

  /** A `StorageError` with Node's message, which has the code and the path. */
  function failure(error: unknown): StorageError {
    const isFull = hasCode(error, "ENOSPC") || hasCode(error, "EDQUOT");
    return new StorageError(`files cannot be kept in ${root}: ${reasonOf(error)}`, { isFull });
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failure(error);
    }
  }

  return {
    privatePrefix: "",

    growing: growingOnDisk({ pathOf, makeFolder, syncFolder, exists, attempt, fileMode }),

    async write(key, source) {
      const path = pathOf(key);
      const folder = dirname(path);
      const partials = partialFolder(folder);
      const partial = join(partials, partialPrefix(key) + randomUUID());
      await storeFrom(source, failure, async (bytes) => {
        await makeFolder(folder);
        await makePartialFolder(partials);
        await writeNew(partial, bytes, { mode: fileMode, isLasting: true });
        try {
          await rename(partial, path);
        } catch (error) {
          await rm(partial, { force: true });
          throw error;
        }
        await syncFolder(folder);
      });
    },

    async read(key, range) {
      const path = pathOf(key);
      return attempt(async () => (await openFile(path))?.read(range) ?? null);
    },

    async readWhole(key) {
      const path = pathOf(key);
      return attempt(async () => {
        const file = await openFile(path);
        return file === null ? null : { bytes: file.read(), size: file.size };
      });
    },

    async remove(key) {
      const path = pathOf(key);
      return attempt(async () => {
        await removeFile(path);
        await removeNamed(partialFolder(dirname(path)), partialPrefix(key));
        return null;
      });
    },

    async addressOf() {
      return null;
    },

    async exposedAt() {
      return null;
    },

    async check() {
      await attempt(() => tryFolder(root));
    },

    tryOut() {
      return attempt(() => tryFolder(root));
    },

    async close() {},
  };
}

interface OpenFile {
  readonly size: number;
  /** Closes the file at the end of the stream. */
  read(range?: ByteRange): Readable;
  close(): Promise<void>;
}

async function openFile(path: string): Promise<OpenFile | null> {
  const handle = await openUnlinked(path);
  if (handle === null) return null;
  const found = await handle.stat();
  if (!found.isFile()) {
    await handle.close();
    return null;
  }
  return {
    size: found.size,
    read: (range) => handle.createReadStream({ ...range }),
    close: () => handle.close(),
  };
}

/** Opens a file; null if there is none, or if it is a symbolic link. */
async function openUnlinked(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error) || hasCode(error, "ELOOP")) return null;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  const file = await openFile(path);
  await file?.close();
  return file !== null;
}

async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Creates the folder and its missing parents, and syncs each parent, so that the directory entries survive a crash. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: folderMode });
  if (first === undefined) return;
  let parent = dirname(first);
  for (const name of relative(parent, dirname(folder)).split(sep)) {
    await syncFolder(parent);
    parent = join(parent, name);
  }
  await syncFolder(parent);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file and removes it again. */
async function tryFolder(folder: string): Promise<void> {
  try {
    const path = join(folder, `.check-${randomUUID()}`);
    await writeNew(path, [Buffer.from("check")], { mode: fileMode, isLasting: true });
    await rm(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    await checkCreatable(folder);
  }
}

/** Checks that the folder could be created without creating it: a check may run as another user, who would own it. */
async function checkCreatable(folder: string): Promise<void> {
  const above = dirname(folder);
  try {
    await access(`${above}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || above === folder) throw error;
    await checkCreatable(above);
  }
}
