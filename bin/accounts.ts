import { join } from "node:path";
import { normaliseAddress } from "../runtime/auth/index.js";
import { type Clock, systemClock } from "../runtime/clock/index.js";
import type { Config } from "../runtime/config/index.js";
import { type Database, pendingMigrations } from "../runtime/db/index.js";
import { withConnection } from "./connection.js";
import { withConfig } from "./database.js";
import { CommandRefused } from "./exit.js";

/** Whose account a command is about, as somebody wrote it. */
export interface UserOptions {
  readonly email: string;
}

/** What commands on accounts stand on. */
export interface AccountServices {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
}

/** Does the work on the app's accounts; refuses where migrations are pending, as the server does. */
export function withAccounts<T>(
  root: string,
  work: (services: AccountServices) => Promise<T>,
): Promise<T> {
  return withConfig(root, (config) =>
    withConnection(config, async (db) => {
      const pending = await pendingMigrations(db, join(config.root, "migrations"));
      if (pending.length > 0) {
        throw new CommandRefused("The database is not up to date", "run: service migrate");
      }
      return work({ config, db, clock: systemClock });
    }),
  );
}

/** Does something to the account of an address as somebody wrote it; refuses one that nobody has. */
export async function withAccountOf<Found>(
  root: string,
  email: string,
  act: (services: AccountServices, address: string) => Promise<Found | null>,
): Promise<Found> {
  const address = normaliseAddress(email);
  if (address === null) {
    throw new CommandRefused(
      `${JSON.stringify(email)} is no email address`,
      "write it as ann@example.com",
    );
  }
  const found = await withAccounts(root, (services) => act(services, address));
  if (found !== null) return found;
  throw new CommandRefused(`${address} has no account`, "service user list shows all there are");
}
