import type { Config } from "../../../config/index.js";
import { withConnection } from "../../app/connection.js";
import type { Finding } from "../../report.js";
import { checkAutovacuum } from "./autovacuum.js";
import { checkBackups } from "./backups.js";
import { checkClock } from "./clock.js";
import { checkCollations } from "./collations.js";
import { checkConnections } from "./connections.js";
import { checkDurability } from "./durability.js";
import { checkProxy } from "./proxy.js";

/**
 * Checks settings that operators tend to forget: a database works without them until it has much data, or until a
 * crash.
 */
export function checkOperation(config: Config): Promise<readonly Finding[]> {
  return withConnection(config, async (db) => [
    await checkClock(db),
    await checkConnections(db, config),
    ...(await checkDurability(db)),
    ...(await checkCollations(db)),
    ...(await checkAutovacuum(db)),
    ...(await checkBackups(db)),
    ...(await checkProxy(db, config)),
  ]);
}
