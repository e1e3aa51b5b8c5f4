import type { EmittedFile } from "../emit/file.js";
import { type CurrentFiles, digest, manifestPath } from "./current.js";
import { currentManifest, manifestFile } from "./manifest.js";

/** The changes that make the files on disk match the emitted ones. */
export interface Plan {
  /** New and changed files only. */
  readonly writes: readonly EmittedFile[];
  /** Files in `generated/` that the tool wrote earlier and no longer emits. */
  readonly removals: readonly string[];
  /** The files in both lists that differ from what the tool last wrote. */
  readonly edited: readonly string[];
}

interface Emitted {
  readonly generated: readonly EmittedFile[];
  readonly migrations: readonly EmittedFile[];
}

/**
 * Compares emitted files with those on disk; files that the tool never wrote are ignored. The manifest contains the
 * notes for the next run.
 */
export function planOutput(
  { generated, migrations }: Emitted,
  current: CurrentFiles,
  notes?: ReadonlyMap<string, string>,
): Plan {
  const files = [...generated, manifestFile(generated, notes), ...migrations];
  const emitted = new Set(generated.map(({ path }) => path));
  const written = currentManifest(current);
  const writes = files.filter(({ path, text }) => current.get(path) !== text);
  const removals = [...current.keys()].filter(
    (path) =>
      path.startsWith("generated/") &&
      path !== manifestPath &&
      written.has(path) &&
      !emitted.has(path),
  );
  const touched = [
    ...writes.map(({ path }) => path).filter((path) => emitted.has(path)),
    ...removals,
  ];
  const edited = touched.filter((path) => {
    const text = current.get(path);
    return text !== undefined && digest(text) !== written.get(path);
  });
  return { writes, removals, edited };
}
