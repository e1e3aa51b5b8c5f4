import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Database } from "../../db/index.js";
import { pendingMigrations } from "../../migrate/at-start.js";
import { StartRefused } from "./start.js";

/** The nearest folder above the generated code that holds a `service.yaml`. */
export function appFolder(location: string): string {
  let folder = dirname(fileURLToPath(location));
  while (!existsSync(join(folder, "service.yaml"))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new StartRefused({
        message: `There is no service.yaml in or above ${dirname(fileURLToPath(location))}`,
        hint: "restore it, or make it again: npx service init <dir>",
      });
    }
    folder = parent;
  }
  return folder;
}

/** Refuses the start where migrations of the app or the package are pending. */
export async function refusePending(
  db: Database,
  root: string,
  onWarning: (warning: string) => void,
): Promise<void> {
  const pending = await pendingMigrations(db, join(root, "migrations"), onWarning);
  const [first] = pending;
  if (first === undefined) return;
  const missing =
    pending.length === 1
      ? `the migration ${first.name}`
      : `${pending.length} migrations, starting with ${first.name}`;
  throw new StartRefused({
    message: `The database is missing ${missing}`,
    hint: "run: npx service migrate",
  });
}
