import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plan } from "./plan.js";

/**
 * Writes a plan to the disk: the only part of the generator that writes. If it is interrupted, the
 * next run finishes: the manifest still knows the stale files while they are removed, and a
 * migration's SQL that has no record yet is recognised by its text.
 */
export function writePlan(root: string, { writes, removals }: Plan): void {
  for (const path of removals) rmSync(join(root, path), { force: true });
  for (const folder of new Set(removals.map((path) => dirname(path)))) {
    if (folder !== "generated") removeIfEmpty(join(root, folder));
  }
  const folders = new Set(writes.map(({ path }) => dirname(join(root, path))));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const { path, text } of writes) writeWhole(join(root, path), text);
}

/** What some files hold, for `putBack`; null for one that is not there. */
export type FormerFiles = ReadonlyMap<string, string | null>;

/** Restores files to what they held before a plan was written. */
export function putBack(root: string, former: FormerFiles): void {
  for (const [path, text] of former) {
    if (text === null) rmSync(join(root, path), { force: true });
    else writeWhole(join(root, path), text);
  }
}

/** Writes a file whole or not at all, whatever happens. */
function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "ENOTEMPTY" && code !== "ENOENT") throw error;
  }
}
