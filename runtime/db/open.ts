import type { DatabaseOptions } from "./connection/options.js";
import { openPipeline } from "./pipeline/pipeline.js";
import { openPool } from "./pool/pool.js";
import { planRunner } from "./run/read.js";
import { newRowCache, type RowCache } from "./run/row-cache.js";
import type { Database } from "./statement/database.js";
import { fixedNames, preparedNames } from "./statement/names.js";
import { databaseOn, type Runner } from "./statement/view.js";
import { timedByRequest } from "./timing.js";

/**
 * Creates a database whose connections are opened on demand. It therefore succeeds while the server is down, and
 * recovers afterwards. `isUnavailable` is true for errors that mean "down" or "too busy".
 */
export function openDatabase(options: DatabaseOptions, cache = newRowCache()): Database {
  const runner = openRunner(options, cache);
  return databaseOn(options.isTimed === true ? timedByRequest(runner) : runner);
}

function openRunner(options: DatabaseOptions, cache: RowCache): Runner {
  const whole = { ...options, onLost: cache.clear };
  const pool = openPool(whole);
  const direct = options.prepare
    ? {
        lookUps: openPipeline({ ...whole, names: fixedNames(), maxWaiting: 128 }),
        pages: openPipeline({ ...whole, names: preparedNames(), maxWaiting: 32 }),
        cache,
      }
    : undefined;
  return {
    ...pool,
    read: planRunner({ pool, ...(direct && { direct }) }),
    close: async () => {
      await Promise.all([direct?.lookUps.close(), direct?.pages.close(), pool.close()]);
    },
  };
}
