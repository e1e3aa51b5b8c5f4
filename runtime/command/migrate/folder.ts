import { join } from "node:path";
import {
  type MigrationFile,
  type MigrationTexts,
  readMigrations,
  readMigrationTexts,
} from "../../migrate/index.js";

/**
 * The migrations of an app and of the package. They are read on first use, once per command.
 *
 * @throws {MigrationError} if a file cannot be read.
 */
export interface MigrationsFolder {
  readonly directory: string;
  /** The SQL to run. */
  files(): Promise<readonly MigrationFile[]>;
  /** All files in the app's folder, including the records with which the schema is replayed. */
  texts(): Promise<MigrationTexts>;
}

export function migrationsFolder(root: string): MigrationsFolder {
  const directory = join(root, "migrations");
  let files: Promise<readonly MigrationFile[]> | undefined;
  let texts: Promise<MigrationTexts> | undefined;
  return {
    directory,
    files() {
      files ??= readMigrations(directory);
      return files;
    },
    texts() {
      texts ??= readMigrationTexts(directory);
      return texts;
    },
  };
}
