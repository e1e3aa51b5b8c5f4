import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { requireApp } from "../../../runtime/command/app/folder.js";
import { CommandRefused, type ExitCode, exit } from "../../../runtime/command/exit.js";
import {
  count,
  questionOutput,
  say,
  sayAside,
  sayDone,
  warn,
} from "../../../runtime/command/report.js";
import { readAppName, readDatabaseUrl, readEnvironment } from "../../../runtime/config/index.js";
import { migrate } from "../../../runtime/migrate/index.js";
import { locateEmbedded, startEmbedded } from "../../embedded/load.js";

export interface DbResetOptions {
  readonly yes?: true;
}

/**
 * Empties the embedded database, including accounts and the list of applied migrations. A database in use is migrated
 * again immediately, as the server of `dev` would otherwise have no tables until a file is saved.
 */
export async function resetDatabase(root: string, { yes }: DbResetOptions): Promise<ExitCode> {
  requireApp(root);
  if (readDatabaseUrl({ root, environment: readEnvironment(root) }) !== null) {
    throw new CommandRefused(
      "Only the embedded database can be reset, and this app uses another (DATABASE_URL or database.url)",
      "empty it with PostgreSQL's own tools, such as dropdb and createdb",
    );
  }
  if (!yes) await askForName(readAppName(root));
  const { isRunning: isInUse } = await locateEmbedded(root);
  const embedded = await startEmbedded({ root });
  try {
    await embedded.empty();
    sayDone("The embedded database is empty");
    if (isInUse) {
      const directory = join(root, "migrations");
      const { applied } = await migrate({ url: embedded.url, directory, onWarning: warn });
      say(`Applied ${count(applied.length, "migration")} again, because the database is in use`);
    }
  } finally {
    await embedded.stop();
  }
  sayAside(
    isInUse
      ? "Create your account again with npx service user create; uploaded files are kept"
      : "npx service dev and npx service migrate create its tables again; uploaded files are kept",
  );
  return exit.done;
}

async function askForName(name: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandRefused(
      "Cannot ask for confirmation without a terminal",
      "confirm it with --yes",
      exit.wrongUsage,
    );
  }
  const lines = createInterface({ input: process.stdin, output: questionOutput });
  const ended = new AbortController();
  lines.on("close", () => ended.abort());
  try {
    const question = `Every record, account and session will be deleted. Type the app's name (${name}) to confirm: `;
    if ((await lines.question(question, { signal: ended.signal })).trim() === name) return;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    lines.close();
  }
  throw new CommandRefused("That is not the app's name; nothing was deleted");
}
