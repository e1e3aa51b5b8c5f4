import type { DatabaseOptions } from "./connection/options.js";
import { byRequest } from "./of-request.js";
import { openPipeline } from "./pipeline/pipeline.js";
import { openPool } from "./pool/pool.js";
import { planRunner } from "./run/read.js";
import { newRowCache, type RowCache } from "./run/row-cache.js";
import type { Access, Database } from "./statement/database.js";
import { fixedNames, preparedNames } from "./statement/names.js";
import { timedByRequest } from "./timing.js";

/**
 * Opens connections when they are needed, so this succeeds while the database is down, and everything works
 * again when it is back. Errors that mean "down" or "too busy" are those for which
 * `isUnavailable` is true.
 */
export function openDatabase(options: DatabaseOptions, cache = newRowCache()): Database {
  const database = openUntimed(options, cache);
  return byRequest(options.isTimed === true ? timedByRequest(database) : database);
}

function openUntimed(options: DatabaseOptions, cache: RowCache): Omit<Database, "of"> {
  const whole = { ...options, onLost: cache.clear };
  const pool = openPool(whole);
  const direct = options.prepare
    ? {
        lookUps: openPipeline({ ...whole, names: fixedNames(), maxWaiting: 128 }),
        pages: openPipeline({ ...whole, names: preparedNames(), maxWaiting: 32 }),
        cache,
      }
    : undefined;
  const read = planRunner({ pool, ...(direct && { direct }) });
  const resources = new Map<string, Access>();
  const { query, attempt, transaction } = pool;
  return {
    ...{ query, attempt, transaction, read },
    ofResource: (name) => {
      const known = resources.get(name);
      if (known !== undefined) return known;
      const access: Access = {
        ...pool.ofResource(name),
        read: (plan) => read({ ...plan, resource: name }),
      };
      resources.set(name, access);
      return access;
    },
    close: async () => {
      await Promise.all([direct?.lookUps.close(), direct?.pages.close(), pool.close()]);
    },
  };
}
