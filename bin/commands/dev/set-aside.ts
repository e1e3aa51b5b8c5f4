import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const folder = ".service/set-aside";

/**
 * Moves the files of migrations that no database has applied to `.service/set-aside`. Returns null, or the reason why
 * nothing was moved, such as "is in version control", because others may have applied such migrations.
 */
export async function setAside(root: string, names: readonly string[]): Promise<string | null> {
  const paths = names.flatMap(filesOf).filter((path) => existsSync(join(root, path)));
  const reason = await reasonToStay(root, paths);
  if (reason !== null) return reason;
  for (const path of paths) {
    const place = join(root, folder, path.includes("/down/") ? "down" : ".");
    mkdirSync(place, { recursive: true });
    renameSync(join(root, path), join(place, basename(path)));
  }
  return null;
}

/** Returns all files that a migration can consist of. */
export function filesOf(name: string): readonly string[] {
  return [`${name}.sql`, `${name}.json`, `down/${name}.sql`].map((file) => `migrations/${file}`);
}

/**
 * Returns why the files must stay, or null. Outside a repository nothing is tracked; if Git fails, any file may be
 * tracked.
 */
async function reasonToStay(root: string, paths: readonly string[]): Promise<string | null> {
  try {
    const env = { ...process.env, LC_ALL: "C" };
    const { stdout } = await run("git", ["ls-files", "--", ...paths], { cwd: root, env });
    return stdout.trim() === "" ? null : "is in version control";
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    const isMissing = code === "ENOENT";
    const isOutside = isMissing || /not a git repository/.test(stderr ?? "");
    if (isOutside && !isInRepository(resolve(root))) return null;
    const [said = ""] = (stderr ?? "").split("\n");
    const why = isMissing ? "git is not installed" : `git ls-files: ${said}`;
    return `may be in version control (${why})`;
  }
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const above = dirname(folder);
  return above !== folder && isInRepository(above);
}
