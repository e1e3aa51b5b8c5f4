import { readdir, readFile } from "node:fs/promises";
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
export async function findDescriptors(root: string): Promise<readonly DescriptorFile[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(noneIfMissing);
  const names = entries
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.(?:yaml|yml|json)$/.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => ({
      path: `${folder}/${name}`,
      text: await readFile(join(root, folder, name), "utf8"),
    })),
  );
}

const folder = "resources";

function noneIfMissing(error: unknown): [] {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return [];
  }
  throw error;
}
