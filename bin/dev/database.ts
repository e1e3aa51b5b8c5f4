import {
  type Config,
  type Environment,
  readConfig,
  readDatabaseUrl,
} from "../../runtime/config/index.js";
import { type Embedded, startEmbedded } from "../../runtime/db/index.js";
import { sayAside } from "../report.js";

/** The database that `dev` works on: the configured one, else the embedded. */
export interface DevelopmentDatabase {
  /** The configuration as it is now, with that database in it. */
  configure(environment: Environment): Promise<Config>;
  stop(): Promise<void>;
}

export function newDevelopmentDatabase(root: string): DevelopmentDatabase {
  let embedded: Embedded | null = null;
  return {
    async configure(environment) {
      const url = readDatabaseUrl({ root, environment });
      if (url !== null) return readConfig({ root, environment });
      if (embedded === null) sayAside("Starting the embedded PostgreSQL");
      const before: Embedded | null = embedded;
      // Joins the one that runs; one that has crashed since comes up again.
      embedded = await startEmbedded({ root });
      await before?.stop();
      return readConfig({ root, environment, databaseUrl: embedded.url });
    },
    async stop() {
      await embedded?.stop();
    },
  };
}
