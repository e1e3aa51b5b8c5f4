import { mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Plan } from "./plan.js";

/**
 * Brings a plan to the disk: the only place of the generator that writes. Whatever ends it halfway,
 * the next run finishes: the manifest still knows the stale files while they are removed, and a
 * migration's SQL that has no record yet is known again by its text.
 */
export async function writePlan(root: string, { writes, removals }: Plan): Promise<void> {
  for (const path of removals) await rm(join(root, path), { force: true });
  for (const folder of new Set(removals.map((path) => dirname(path)))) {
    if (folder !== "generated") await removeIfEmpty(join(root, folder));
  }
  const folders = new Set(writes.map(({ path }) => dirname(join(root, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (const { path, text } of writes) await writeWhole(join(root, path), text);
}

/** Never half a file, whatever happens meanwhile. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT") throw error;
  });
}
