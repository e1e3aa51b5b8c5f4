import { readDatabaseUrl, readEnvironment } from "../../../runtime/config/index.js";
import { readAddress } from "../../../runtime/db/index.js";
import { requireApp } from "../../app/folder.js";
import { locateEmbedded } from "../../embedded/load.js";
import { type ExitCode, exit } from "../../exit.js";
import { say, sayJson, warn } from "../../report.js";
import { completeAddress } from "./complete-address.js";

export interface DbUrlOptions {
  readonly json?: true;
}

/** Prints the database's address as clients accept it, with its password: `psql "$(npx service db url)"`. */
export async function printUrl(root: string, { json }: DbUrlOptions): Promise<ExitCode> {
  requireApp(root);
  const named = readDatabaseUrl({ root, environment: readEnvironment(root) });
  const located =
    named === null ? await locateEmbedded(root) : { url: completeAddress(named), isRunning: true };
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
