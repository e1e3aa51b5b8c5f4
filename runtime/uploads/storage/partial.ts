import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Source } from "./storage.js";

/** Files under way lie in the folder of the finished ones, since only there can they be renamed at once. */
export function partialFolder(root: string): string {
  return join(root, ".partial");
}

/** Nobody but the server has to do with files under way. */
export async function makePartialFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** How the names of one object's files under way begin. */
export function partialPrefix(key: string): string {
  return `${createHash("sha256").update(key).digest("hex").slice(0, 32)}-`;
}

export interface NewFile {
  readonly mode: number;
  /** Whether the bytes are to be on the disk, come what may, when they are written. */
  readonly isLasting: boolean;
}

/** A new file with these bytes. At most one chunk is held in memory; whatever goes wrong, no file stays. */
export async function writeNew(
  path: string,
  bytes: Source,
  { mode, isLasting }: NewFile,
): Promise<void> {
  const handle = await open(path, "wx", mode);
  try {
    try {
      await writeFile(handle, bytes);
      if (isLasting) await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Removes the files of the folder that have not been written to since. */
export async function removeOld(folder: string, before: Date): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const written = await lastWrite(path);
    if (written !== null && written < before) await rm(path, { force: true });
  }
}

/** Null where the file went meanwhile. */
async function lastWrite(path: string): Promise<Date | null> {
  try {
    return (await stat(path)).mtime;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Removes the files of the folder whose names begin so. */
export async function removeNamed(folder: string, prefix: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whether nothing is there; a file where a folder should be means the same. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR");
}

/** Whether it is the system's error of that code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
