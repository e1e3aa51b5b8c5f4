import pLimit from "p-limit";
import { databaseAround } from "./around.js";
import type { Database } from "./statement/database.js";

/** A database for work that must leave connections to others: it uses up to `most` at a time. */
export function limitedDatabase(db: Database, most: number): Database {
  return databaseAround(db, pLimit(most));
}
