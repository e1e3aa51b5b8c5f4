import type { StartProblem } from "../../errors/index.js";
import { withMaintenanceConnection } from "../../migrate/index.js";
import { lostParts } from "../../resource/index.js";
import { adoptedTables } from "../app/tables.js";
import { fail } from "../report.js";

/** Reports missing parts of adopted tables without which a server does not start. Returns whether any are missing. */
export async function reportLostParts(root: string, url: string): Promise<boolean> {
  const lost = await findLostParts(root, url);
  for (const { message, hint } of lost) fail(message, hint);
  return lost.length > 0;
}

/** Finds missing parts of tables that existed before the app. */
export async function findLostParts(root: string, url: string): Promise<readonly StartProblem[]> {
  const tables = adoptedTables(root);
  return tables.length === 0 ? [] : withMaintenanceConnection(url, (db) => lostParts(db, tables));
}
