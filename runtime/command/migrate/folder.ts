import { join } from "node:path";
import {
  type MigrationFile,
  type MigrationTexts,
  readMigrations,
  readMigrationTexts,
} from "../../migrate/index.js";

/**
 * The migrations of an app and of the package; read when they are first needed, and once a command.
 *
 * @throws {MigrationError} when a file cannot be read.
 */
export interface MigrationsFolder {
  /** The app's `migrations/`. */
  readonly directory: string;
  /** The SQL that is run. */
  files(): Promise<readonly MigrationFile[]>;
  /** Everything in the app's folder, also the records that the schema is replayed from. */
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
