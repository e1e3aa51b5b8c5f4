import {
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Plan } from "./plan.js";
import { followed, UnusablePath } from "./unusable.js";

/**
 * Writes a plan to disk; the generator writes nowhere else. If interrupted, the next run completes it. The manifest
 * lists stale files until they are removed, and a migration's SQL without a record is recognized by its text.
 */
export function writePlan(root: string, { writes, removals }: Plan): void {
  for (const folder of new Set(writes.map(({ path }) => dirname(join(root, path))))) {
    makeFolder(folder);
  }
  for (const path of removals) rmSync(join(root, path), { force: true });
  for (const folder of new Set(removals.map((path) => dirname(path)))) {
    if (folder !== "generated") removeIfEmpty(join(root, folder));
  }
  for (const { path, text } of writes) writeWhole(join(root, path), text);
}

/**
 * Creates a folder and its parents. Node's recursive `mkdir` never returns if the system reports an existing parent as
 * missing, as below `/proc`.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (followed(folder) === "broken") {
      throw new UnusablePath(`${folder} is a broken symbolic link`, "remove it");
    }
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT") throw error;
    throw new UnusablePath(`The folder ${folder} cannot be created`, "choose a folder on a disk");
  }
}

/** The previous content of files, for `putBack`; null for one that did not exist. */
export type FormerFiles = ReadonlyMap<string, string | null>;

/** Restores files to their content before a plan was written. */
export function putBack(root: string, former: FormerFiles): void {
  for (const [path, text] of former) {
    if (text === null) rmSync(join(root, path), { force: true });
    else writeWhole(join(root, path), text);
  }
}

/** Replaces a file atomically and keeps its mode. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: statSync(path, { throwIfNoEntry: false })?.mode });
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
    const code = codeOf(error);
    if (code !== "ENOTEMPTY" && code !== "ENOENT") throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
