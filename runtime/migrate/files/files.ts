import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { downPath, sqlPath } from "../../values/schema/history/migration-paths.js";
import { MigrationError } from "../error.js";

/** The owner of a migration: the package's own tables, or the app's. */
export type MigrationSource = "package" | "app";

/** A migration's permanent identity. */
export interface MigrationName {
  readonly source: MigrationSource;
  /** The file's name without `.sql`. */
  readonly name: string;
}

export interface MigrationFile extends MigrationName {
  /** The path shown in messages. */
  readonly path: string;
  readonly sql: string;
  /** SHA-256, in hex. */
  readonly checksum: string;
}

/**
 * Reads the package's migrations, then those in the app's directory, each sorted by name.
 *
 * @throws {MigrationError} if one cannot be read.
 */
export async function readMigrations(directory: string): Promise<readonly MigrationFile[]> {
  const root = dirname(createRequire(import.meta.url).resolve("service-runtime/package.json"));
  return [
    ...(await readDirectory("package", join(root, "migrate", "sql"))),
    ...(await readDirectory("app", directory)),
  ];
}

/** Reads the file that undoes a migration of the app; null if there is none. */
export async function readDownFile(directory: string, name: string): Promise<MigrationFile | null> {
  const file = `${name}.sql`;
  const below = join(directory, "down");
  if (!(await listFolder(below)).includes(file)) return null;
  return readOne({ source: "app", name }, join(below, file), downPath(name));
}

/** Reduces a migration to its identity. */
export function nameOf({ source, name }: MigrationName): MigrationName {
  return { source, name };
}

/** A unique key of a migration. */
export function migrationKey({ source, name }: MigrationName): string {
  return `${source}/${name}`;
}

async function readDirectory(source: MigrationSource, directory: string): Promise<MigrationFile[]> {
  const files = (await listFolder(directory)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map((file) => {
      const name = basename(file, ".sql");
      return readOne({ source, name }, join(directory, file), sqlPath(name));
    }),
  );
}

async function readOne(
  { source, name }: MigrationName,
  file: string,
  path: string,
): Promise<MigrationFile> {
  const sql = normalise(await readText(file, path));
  return { source, name, path, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}

/** Reads a file, which must be regular or a link to a regular one: reading a pipe would never end. */
export async function readText(file: string, path: string): Promise<string> {
  try {
    const found = await stat(file);
    if (found.isFile()) return await readFile(file, "utf8");
    const what = found.isDirectory() ? "a folder" : "not a regular file";
    throw new MigrationError(`${path} is ${what}`, "a migration is a file: move this elsewhere");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new MigrationError(
      `${path} cannot be read (${error.code})`,
      "check where the link leads, its permissions and the account that runs this",
      { cause: error },
    );
  }
}

/** The names in a folder; empty if the folder is missing, as in an app for which nothing was generated yet. */
export async function listFolder(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Removes a byte order mark and carriage returns, which a checkout on Windows may add. */
function normalise(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** Whether a user's argument refers to the migration by its number, its name or its file name. */
export function matchesName(name: string, argument: string): boolean {
  const wanted = argument.replace(/\.sql$/, "");
  return name === wanted || (/^\d+$/.test(wanted) && numberOf(name) === Number(wanted));
}

/** The number at the start of a migration's name; null if there is none. */
function numberOf(name: string): number | null {
  const digits = /^\d+/.exec(name)?.[0];
  return digits === undefined ? null : Number(digits);
}
