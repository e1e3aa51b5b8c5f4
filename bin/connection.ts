import type { Config } from "../runtime/config/index.js";
import { type Database, openDatabase } from "../runtime/db/index.js";
import { newLog } from "../runtime/http/index.js";

/** Does the work on one connection to the app's database. Nothing is logged: a command tells what fails. */
export async function withConnection<T>(
  { database: { url, prepare } }: Pick<Config, "database">,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const log = newLog({ logLevel: "silent" });
  const db = openDatabase({ url, poolSize: 1, prepare, log });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
