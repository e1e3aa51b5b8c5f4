import { join } from "node:path";
import { type CurrentFiles, readCurrent } from "../../../generator/output/current.js";
import { type MigrationFile, readMigrations } from "../../../runtime/migrate/index.js";

/** The migrations of an app and of the package; read when they are first needed, and once a command. */
export interface MigrationsFolder {
  /** The app's `migrations/`. */
  readonly directory: string;
  /**
   * The SQL that is run.
   *
   * @throws {MigrationError} when a file cannot be read.
   */
  files(): Promise<readonly MigrationFile[]>;
  /** Everything in the app's folder, also the records that the schema is replayed from. */
  contents(): CurrentFiles;
}

export function migrationsFolder(root: string): MigrationsFolder {
  const directory = join(root, "migrations");
  let files: Promise<readonly MigrationFile[]> | undefined;
  let contents: CurrentFiles | undefined;
  return {
    directory,
    files() {
      files ??= readMigrations(directory);
      return files;
    },
    contents() {
      contents ??= readCurrent(root, ["migrations"]);
      return contents;
    },
  };
}
