import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const folder = ".service/set-aside";

/**
 * Moves the files of migrations that no database has to `.service/set-aside`, so that they can be had
 * back. False, and nothing moved, where one of them is in version control: others may have applied it.
 */
export async function setAside(root: string, names: readonly string[]): Promise<boolean> {
  const paths = names.flatMap(filesOf).filter((path) => existsSync(join(root, path)));
  if (await isTracked(root, paths)) return false;
  for (const path of paths) {
    const place = join(root, folder, path.includes("/down/") ? "down" : ".");
    mkdirSync(place, { recursive: true });
    renameSync(join(root, path), join(place, basename(path)));
  }
  return true;
}

/** Every file that a migration may have. */
export function filesOf(name: string): readonly string[] {
  return [`${name}.sql`, `${name}.json`, `down/${name}.sql`].map((file) => `migrations/${file}`);
}

/** Without Git, or outside of a repository, nothing is. */
async function isTracked(root: string, paths: readonly string[]): Promise<boolean> {
  try {
    const { stdout } = await run("git", ["ls-files", "--", ...paths], { cwd: root });
    return stdout.trim() !== "";
  } catch {
    return false;
  }
}
