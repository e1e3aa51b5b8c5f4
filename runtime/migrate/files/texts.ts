import { join } from "node:path";
import { listFolder, readText } from "./files.js";

/** SQL, records and the snapshot of an app's migrations, by path relative to the app's folder. */
export type MigrationTexts = ReadonlyMap<string, string>;

/**
 * Reads an app's `migrations/`, from which the schema can be replayed; empty if the folder is missing.
 *
 * @throws {MigrationError} if a file cannot be read.
 */
export async function readMigrationTexts(directory: string): Promise<MigrationTexts> {
  const names = [
    ...(await listFolder(directory)),
    ...(await listFolder(join(directory, "down"))).map((name) => `down/${name}`),
  ];
  const paths = names.filter((name) => /\.(?:sql|json)$/.test(name)).sort();
  return new Map(
    await Promise.all(
      paths.map(async (name) => {
        const path = `migrations/${name}`;
        return [path, await readText(join(directory, name), path)] as const;
      }),
    ),
  );
}
