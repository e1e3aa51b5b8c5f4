import { readDatabaseUrl, readEnvironment } from "../../config/index.js";
import { readAddress } from "../../db/index.js";
import { developmentDatabase } from "../app/development.js";
import { requireApp } from "../app/folder.js";
import { type ExitCode, exit } from "../exit.js";
import { say, sayJson, warn } from "../report.js";
import { completeAddress } from "./complete-address.js";

export interface DbUrlOptions {
  readonly json?: true;
}

/**
 * Prints the database's address, including its password, in a form that clients accept: `psql "$(npx service db url)"`.
 */
export async function printUrl(root: string, { json }: DbUrlOptions): Promise<ExitCode> {
  requireApp(root);
  const named = readDatabaseUrl({ root, environment: readEnvironment(root) });
  const located =
    named === null
      ? await developmentDatabase().locate(root)
      : { url: completeAddress(named), isRunning: true };
  const { url } = located;
  if (json) {
    const { host, port, user, database } = readAddress(url);
    sayJson({ url, host, port, user, database, embedded: named === null });
  } else say(url);
  if (!located.isRunning) {
    warn("The embedded database is not running; npx service dev and other commands start it");
  }
  return exit.done;
}
