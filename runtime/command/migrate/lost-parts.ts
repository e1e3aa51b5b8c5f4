import { withMaintenanceConnection } from "../../migrate/index.js";
import { lostParts } from "../../resource/index.js";
import { adoptedTables } from "../app/tables.js";
import { fail } from "../report.js";

/**
 * Reports what tables that were there before the app no longer have, and without which a server does not start;
 * returns whether there is anything.
 */
export async function reportLostParts(root: string, url: string): Promise<boolean> {
  const tables = adoptedTables(root);
  if (tables.length === 0) return false;
  const lost = await withMaintenanceConnection(url, (db) => lostParts(db, tables));
  for (const { message, hint } of lost) fail(message, hint);
  return lost.length > 0;
}
