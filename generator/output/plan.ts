import type { EmittedFile } from "../emit/file.js";
import { type CurrentFiles, digest, manifestPath } from "./current.js";
import { currentManifest, manifestFile } from "./manifest.js";

/** What has to change on the disk so that it holds what was emitted. */
export interface Plan {
  /** New and changed files; the unchanged are left alone. */
  readonly writes: readonly EmittedFile[];
  /** Files in `generated/` that are no longer emitted. */
  readonly removals: readonly string[];
  /** Files in `generated/` that somebody edited by hand since they were written. */
  readonly edited: readonly string[];
}

/** Compares what was emitted with what lies on the disk. */
export function planOutput(
  generated: readonly EmittedFile[],
  migrations: readonly EmittedFile[],
  current: CurrentFiles,
): Plan {
  const emitted = [...generated, manifestFile(generated), ...migrations];
  const paths = new Set(emitted.map(({ path }) => path));
  const written = Object.entries(currentManifest(current));
  return {
    writes: emitted.filter(({ path, text }) => current.get(path) !== text),
    removals: [...current.keys()].filter(
      (path) => path.startsWith("generated/") && path !== manifestPath && !paths.has(path),
    ),
    edited: written.flatMap(([path, hash]) => {
      const text = current.get(path);
      return text === undefined || digest(text) === hash ? [] : [path];
    }),
  };
}
