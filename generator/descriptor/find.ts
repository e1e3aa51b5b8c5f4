import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One file of the `resources/` folder, as it is on disk. */
export interface DescriptorFile {
  /** Relative to the app's folder, with forward slashes: `resources/products.yaml`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads every descriptor below the app's folder, sorted by path. Other files and subfolders are
 * passed over; without the folder there is none.
 */
export function findDescriptors(root: string): readonly DescriptorFile[] {
  return entriesOf(join(root, folder))
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.(?:yaml|yml|json)$/.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({
      path: `${folder}/${name}`,
      text: readFileSync(join(root, folder, name), "utf8"),
    }));
}

const folder = "resources";

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") {
      return [];
    }
    throw error;
  }
}
