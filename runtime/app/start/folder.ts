import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Database } from "../../db/index.js";
import { StartRefused } from "../../errors/index.js";
import { pendingInRelease, type Release } from "../../migrate/at-start.js";
import { lostParts, type ResourceDefinition } from "../../resource/index.js";

/** Returns the nearest folder above the generated code that contains a `service.yaml`. */
export function appFolder(location: string): string {
  let folder = dirname(fileURLToPath(location));
  while (!existsSync(join(folder, "service.yaml"))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new StartRefused({
        message: `There is no service.yaml in or above ${dirname(fileURLToPath(location))}`,
        hint: "restore it, or create it again: npx service init <dir>",
      });
    }
    folder = parent;
  }
  return folder;
}

/**
 * Returns the app's release: the migrations that it was built with, or those in the folder if an older `generate`
 * listed none.
 */
export function releaseIn(root: string, built: readonly string[] | undefined): Release {
  return { directory: join(root, "migrations"), built: built ?? null };
}

/** Prevents the start if adopted tables lack something that their resources need. */
export async function refuseLostParts(
  db: Database,
  definitions: readonly ResourceDefinition[],
): Promise<void> {
  const lost = await lostParts(
    db,
    definitions.map(({ table }) => table),
  );
  if (lost.length > 0) throw new StartRefused(...lost);
}

/** Prevents the start if migrations of the app or the package are pending. */
export async function refusePending(
  db: Database,
  release: Release,
  onWarning: (warning: string) => void,
): Promise<void> {
  const pending = await pendingInRelease(db, release, onWarning);
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
