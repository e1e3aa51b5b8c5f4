import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Source } from "./storage.js";

/**
 * The folder of partial files. It is within that of the finished ones, because a rename is atomic only within a file
 * system.
 */
export function partialFolder(folder: string): string {
  return join(folder, ".partial");
}

/** Creates the folder of partial files, readable only by the server. */
export async function makePartialFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** The prefix that the names of an object's partial files share. */
export function partialPrefix(key: string): string {
  return `${createHash("sha256").update(key).digest("hex").slice(0, 32)}-`;
}

export interface NewFile {
  readonly mode: number;
  /** Whether the bytes must be synced to disk before the write resolves. */
  readonly isLasting: boolean;
}

/** Writes a new file. Holds at most one chunk in memory; a failure leaves no file. */
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

/** Removes files of the folder that were last written before this time. */
export async function removeOld(folder: string, before: Date): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const written = await lastWrite(path);
    if (written !== null && written < before) await rm(path, { force: true });
  }
}

/** When the file was last written; null if it was removed. */
async function lastWrite(path: string): Promise<Date | null> {
  try {
    return (await stat(path)).mtime;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Removes files of the folder whose names begin with the prefix. */
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

/** Whether the error means that there is no such file; a file in place of a folder counts too. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR");
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
