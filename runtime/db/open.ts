import type { Database } from "./database.js";
import type { DatabaseOptions } from "./options.js";
import { openPipeline } from "./pipeline.js";
import { openPool } from "./pool.js";

/**
 * Connections are made when they are needed, so this succeeds while the database is down, and all is
 * back at work when it is up again. Errors that mean "down" or "too busy" are those for which
 * `isUnavailable` is true.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options);
  if (!options.prepare) return pool;
  const pipeline = openPipeline(options);
  return {
    ...pool,
    lookUp: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await pipeline.read<Row>(text, values)) ?? pool.lookUp<Row>(text, values),
    close: async () => {
      await Promise.all([pipeline.close(), pool.close()]);
    },
  };
}
