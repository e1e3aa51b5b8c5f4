import type { Clock } from "../clock/index.js";
import type { Config } from "../config/index.js";
import type { Database } from "../db/index.js";
import type { Mailer } from "../mail/index.js";
import type { Log } from "./log.js";
import type { Policies } from "./policies.js";

/** What handlers and background work may use; made once at the start. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly policies: Policies;
}
