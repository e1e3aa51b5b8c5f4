import { createHash } from "node:crypto";
import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findDescriptors } from "../../../generator/descriptor/find.js";
import { clientFilesIn } from "../../../generator/output/client-files.js";
import { currentPaths } from "../../../generator/output/current.js";

/** Stored next to the lock, because it concerns only this copy of the app. */
const path = ".service/generated.json";

/**
 * A digest of all inputs of `generate`: descriptors, settings, the package's name, the client's
 * folder if a flag names it, and the generator itself.
 */
export function inputsOf(root: string, client: string | null): string {
  const hash = createHash("sha256");
  const add = (...parts: readonly string[]) => hash.update(`${JSON.stringify(parts)}\n`);
  for (const { path, text, refused } of findDescriptors(root)) {
    add(path, text, refused?.message ?? "");
  }
  for (const name of ["service.yaml", "package.json"]) add(name, textOf(join(root, name)) ?? "");
  add("client", client ?? "");
  for (const file of ownFiles()) {
    // A linked checkout of the generator changes without a new version.
    add(file, stateOf(file) ?? "");
  }
  return hash.digest("hex");
}

/** Whether the last run had the same inputs and its files are unchanged, so that there is nothing to do. */
export function isUpToDate(root: string, inputs: string): boolean {
  try {
    const note: unknown = JSON.parse(readFileSync(join(root, path), "utf8"));
    if (typeof note !== "object" || note === null) return false;
    const { inputs: former, client, outputs } = note as Record<string, unknown>;
    if (former !== inputs || (client !== null && typeof client !== "string")) return false;
    return outputs === outputsOf(root, client);
  } catch {
    // If the record cannot be read, everything is generated.
    return false;
  }
}

/** Records after a run that everything is up to date; `client` is the folder of the client's copy. */
export function noteUpToDate(root: string, inputs: string, client: string | null): void {
  const note = { inputs, client, outputs: outputsOf(root, client) };
  mkdirSync(join(root, ".service"), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, path), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/**
 * Returns the state of every file that a run may write. Reading their contents would take a tenth of the time of a full
 * run.
 */
function outputsOf(root: string, client: string | null): string {
  const hash = createHash("sha256");
  const copies = client === null ? [] : clientFilesIn(client).map((path) => join(client, path));
  const own = currentPaths(root).map((path) => join(root, path));
  for (const path of [...own, ...copies]) hash.update(`${path}\n${stateOf(path)}\n`);
  return hash.digest("hex");
}

/**
 * Returns a string that changes with the file's text; null if the file is missing. Includes the change time (ctime),
 * which only the system sets: tools that restore the modification time cannot restore it.
 */
function stateOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

/** Returns the generator's files: its code, parts of which belong to the runtime, and its templates. */
function ownFiles(): readonly string[] {
  const { resolve } = createRequire(import.meta.url);
  const manifests = ["service-cli/package.json", "service-runtime/package.json"].map((path) =>
    resolve(path),
  );
  const [own = "", runtime = ""] = manifests.map(dirname);
  const folders = [join(own, "dist/bundle"), join(own, "templates"), join(runtime, "dist/bundle")];
  const inside = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry: Dirent) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...manifests, ...inside.sort()];
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
