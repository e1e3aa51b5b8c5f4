import { currentRequest, startRequest } from "../request/index.js";
import { newRowCache } from "./cache/row-cache.js";
import type { DatabaseOptions } from "./connection/options.js";
import { byRequest } from "./of-request.js";
import { openPipeline } from "./pipeline/pipeline.js";
import { openPool } from "./pool/pool.js";
import type { Access, Database } from "./statement/database.js";
import { fixedNames, preparedNames } from "./statement/names.js";
import { timedByRequest } from "./timing.js";

/**
 * Opens connections when they are needed, so this succeeds while the database is down, and everything works
 * again when it is back. Errors that mean "down" or "too busy" are those for which
 * `isUnavailable` is true.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const database = openUntimed(options);
  return byRequest(options.isTimed === true ? timedByRequest(database) : database);
}

function openUntimed(options: DatabaseOptions): Omit<Database, "of"> {
  if (!options.prepare) return openPool(options);
  const cache = newRowCache();
  const whole = { ...options, onLost: cache.clear };
  const pool = openPool(whole);
  const lookUps = openPipeline({ ...whole, names: fixedNames(), maxWaiting: 128 });
  const pages = openPipeline({ ...whole, names: preparedNames(), maxWaiting: 32 });
  const pipelined = (access: Access): Access => ({
    ...access,
    lookUp: async <Row>(text: string, values: readonly unknown[] = []) => {
      const request = currentRequest();
      const rows = await lookUps.read<Row>(text, values);
      return rows ?? startRequest(request, () => access.lookUp<Row>(text, values));
    },
    browse: async <Row>(text: string, values: readonly unknown[] = []) => {
      const request = currentRequest();
      const rows = await pages.read<Row>(text, values);
      return rows ?? startRequest(request, () => access.browse<Row>(text, values));
    },
  });
  const resources = new Map<string, Access>();
  return {
    ...pipelined(pool),
    cache,
    ofResource: (name) => {
      const access = resources.get(name) ?? pipelined(pool.ofResource(name));
      resources.set(name, access);
      return access;
    },
    close: async () => {
      await Promise.all([lookUps.close(), pages.close(), pool.close()]);
    },
  };
}
