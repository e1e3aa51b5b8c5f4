import { accountRecordsOf } from "../../app/index.js";
import type { AccountRecords } from "../../auth/index.js";
import { storedTables } from "../app/tables.js";

/** The effect of deleting an account on the records of an app, as it was generated. */
export function accountRecordsIn(root: string): AccountRecords {
  return accountRecordsOf(storedTables(root).accounts ?? null);
}
