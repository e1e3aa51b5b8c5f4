import { join } from "node:path";
import { type Clock, systemClock } from "../../clock/index.js";
import type { Config } from "../../config/index.js";
import type { Database } from "../../db/index.js";
import { type Mailer, openMailer } from "../../mail/index.js";
import { pendingMigrations } from "../../migrate/index.js";
import type { Log } from "../../own-code/index.js";
import { CommandRefused } from "../exit.js";
import { silentLog, withConnection } from "./connection.js";
import { withConfig } from "./database.js";

export interface AppServices {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Never started: the servers send queued emails. */
  readonly mailer: Mailer;
}

/** Runs the work on the app's database; refuses if migrations are pending, as the server does. */
export function withAppServices<T>(
  root: string,
  work: (services: AppServices) => Promise<T>,
): Promise<T> {
  return withConfig(root, (config) =>
    withConnection(config, async (db) => {
      const pending = await pendingMigrations(db, join(config.root, "migrations"));
      if (pending.length > 0) {
        throw new CommandRefused("The database is not up to date", "run: npx service migrate");
      }
      const log = silentLog();
      const mailer = openMailer({ config, db, log });
      return work({ config, db, clock: systemClock, log, mailer });
    }),
  );
}
