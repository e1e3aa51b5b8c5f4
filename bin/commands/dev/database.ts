import { CommandRefused } from "../../../runtime/command/exit.js";
import { say, sayAside } from "../../../runtime/command/report.js";
import {
  type Config,
  type Environment,
  readConfig,
  readDatabaseUrl,
} from "../../../runtime/config/index.js";
import { isHostDoubtful, readAddress } from "../../../runtime/db/index.js";
import { type Embedded, startEmbedded } from "../../embedded/load.js";
import { locateHost } from "./this-machine.js";

/** The database that `dev` uses: the configured one, or else the embedded one. */
export interface DevelopmentDatabase {
  /**
   * Reports the database in use, on the first call and after changes. Refuses production, and refuses a database on
   * another machine unless the user has confirmed that it may be changed.
   */
  announce(environment: Environment): Promise<void>;
  /** The current configuration with that database. */
  configure(environment: Environment): Promise<Config>;
  stop(): Promise<void>;
}

export function newDevelopmentDatabase(
  root: string,
  { mayBeElsewhere }: { readonly mayBeElsewhere: boolean },
): DevelopmentDatabase {
  let embedded: Embedded | null = null;
  let announced = "";

  async function announce(environment: Environment): Promise<void> {
    refuseProduction(environment);
    const url = readDatabaseUrl({ root, environment });
    if (url !== null && !mayBeElsewhere) await refuseElsewhere(url);
    const words =
      url === null ? "embedded PostgreSQL on this machine, database app" : locationOf(url);
    if (words !== announced) say(`Database: ${words}`);
    announced = words;
  }

  return {
    announce,
    async configure(environment) {
      await announce(environment);
      const url = readDatabaseUrl({ root, environment });
      if (url !== null) return readConfig({ root, environment });
      if (embedded === null) sayAside("Starting the embedded PostgreSQL");
      const before: Embedded | null = embedded;
      // Joins the running server, or restarts one that has crashed.
      embedded = await startEmbedded({ root });
      await before?.stop();
      return readConfig({ root, environment, databaseUrl: embedded.url });
    },
    async stop() {
      await embedded?.stop();
    },
  };
}

function refuseProduction({ NODE_ENV }: Environment): void {
  if (NODE_ENV !== "production") return;
  throw new CommandRefused(
    "dev does not run with NODE_ENV=production",
    "it changes the database on every save; run: npm run build && node dist/server.js",
  );
}

async function refuseElsewhere(url: string): Promise<void> {
  const { host } = readAddress(url);
  const where = await locateHost(host);
  if (where === "here") return;
  if (where === "unknown") {
    throw new CommandRefused(
      `The database host cannot be resolved, so it is treated as another machine: ${locationOf(url)}`,
      "correct the host in DATABASE_URL; if that database is on another machine and only you use it, run: npx service dev --database-url-is-mine",
    );
  }
  throw new CommandRefused(
    `The database is on another machine: ${locationOf(url)}`,
    "dev changes tables on every save; if only you use that database, run: npx service dev --database-url-is-mine",
  );
}

/** Returns the host and the database name of a URL, without user and password. */
function locationOf(url: string): string {
  if (isHostDoubtful(url)) return "the address is hidden because it contains more than one @";
  const { host, port, database } = readAddress(url);
  return `${host}:${port}, database ${database}, not embedded`;
}
