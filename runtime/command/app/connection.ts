import type { Config } from "../../config/index.js";
import { type Database, openDatabase } from "../../db/index.js";
import { type Log, newLog } from "../../own-code/index.js";

/** A log that discards everything, for commands, which report failures themselves. */
export function silentLog(): Log {
  return newLog({ logLevel: "silent" });
}

export async function withConnection<T>(
  { database: { url, prepare } }: Pick<Config, "database">,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ url, poolSize: 1, prepare, log: silentLog() });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
