import { accountRecordsOf } from "../../app/index.js";
import type { AccountRecords } from "../../auth/index.js";
import { storedTables } from "../app/tables.js";

/** The effect of deleting an account on the app's records, as of the app's last generation. */
export function accountRecordsIn(root: string): AccountRecords {
  return accountRecordsOf(storedTables(root).accounts ?? null);
}
