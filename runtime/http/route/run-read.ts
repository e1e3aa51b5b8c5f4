import type { Database } from "../../db/index.js";
import type { PlannedRead, Row } from "./route.js";

/** Runs a read without a lookup of the caller; the row is empty if nothing was found. */
export async function runRead(db: Database, planned: PlannedRead): Promise<Row> {
  try {
    const [row = {}] = await db.read<Row>(planned);
    return row;
  } catch (error) {
    throw planned.refusalOf?.(error) ?? error;
  }
}
