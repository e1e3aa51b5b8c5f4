import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Where the tool's own files are. */
export const toolFolders = ["generated", "migrations"] as const;
export const manifestPath = "generated/manifest.json";

/** What lies in the tool's folders now, by path relative to the app's folder. */
export type CurrentFiles = ReadonlyMap<string, string>;

/** Reads the tool's folders; those that are not there are empty. */
export async function readCurrent(root: string): Promise<CurrentFiles> {
  const paths = (await Promise.all(toolFolders.map((folder) => filesBelow(root, folder)))).flat();
  const entries = await Promise.all(
    paths.sort().map(async (path) => [path, await readFile(join(root, path), "utf8")] as const),
  );
  return new Map(entries);
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(whenAbsent);
  const below = entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : Promise.resolve([path]);
  });
  return (await Promise.all(below)).flat();
}

function whenAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}

/** SHA-256 of a file's text, as the manifest keeps it. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
