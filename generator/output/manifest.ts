import { z } from "zod";
import type { EmittedFile } from "../emit/file.js";
import { type CurrentFiles, digest, manifestPath } from "./current.js";

/** The path and digest of every file in `generated/` when the tool last wrote it, and the notes for the next run. */
export type Manifest = ReadonlyMap<string, string>;

/** The manifest on disk; empty if it is missing or malformed. */
export function currentManifest(current: CurrentFiles): Manifest {
  try {
    const parsed: unknown = JSON.parse(current.get(manifestPath) ?? "{}");
    return new Map(Object.entries(manifest.parse(parsed)));
  } catch {
    // A merge may have corrupted the manifest: then no file is known to be the tool's, and the manifest is rewritten.
    return new Map();
  }
}

const manifest = z.record(z.string(), z.string());

/** The manifest of the files in `generated/`, with notes for the next run. */
export function manifestFile(
  files: readonly EmittedFile[],
  notes: ReadonlyMap<string, string> = new Map(),
): EmittedFile {
  const entries = [
    ...files.map(({ path, text }) => [path, digest(text)] as const),
    ...notes,
  ].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    path: manifestPath,
    text: `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`,
  };
}
