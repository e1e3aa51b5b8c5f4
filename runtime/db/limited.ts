import pLimit from "p-limit";
import { databaseAround } from "./around.js";
import type { Database } from "./statement/database.js";

/** Returns a database for work that must leave connections to other work: it uses at most `most` at a time. */
export function limitedDatabase(db: Database, most: number): Database {
  return databaseAround(db, pLimit(most));
}
