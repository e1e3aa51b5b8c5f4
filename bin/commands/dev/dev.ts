import { existsSync } from "node:fs";
import { join } from "node:path";
import { requireApp } from "../../../runtime/command/app/folder.js";
import { type ExitCode, exit } from "../../../runtime/command/exit.js";
import { sayAside, sayDone } from "../../../runtime/command/report.js";
import { ConfigError, readEnvironment } from "../../../runtime/config/index.js";
import { reportKnown } from "../../failure.js";
import { type Built, newBuild } from "./build.js";
import { newDevelopmentDashboard } from "./dashboard.js";
import { newDevelopmentDatabase } from "./database.js";
import { onInterrupt } from "./interrupt.js";
import { newDevelopmentServer } from "./server.js";
import { watchApp } from "./watch.js";

export interface DevOptions {
  readonly databaseUrlIsMine?: true;
}

/** Milliseconds to write the remaining output. */
const lastWordsMs = 1_000;

/** Runs the app and restarts it after every change, until stopped by a signal. */
export async function dev(root: string, { databaseUrlIsMine }: DevOptions): Promise<ExitCode> {
  try {
    await develop(root, { mayBeElsewhere: databaseUrlIsMine ?? false });
    return exit.done;
  } finally {
    // A pending host lookup would keep the process alive until the resolver times out.
    setTimeout(() => process.exit(), lastWordsMs).unref();
  }
}

/**
 * Builds and runs the app, and rebuilds it after every change, until SIGINT, SIGTERM or SIGHUP. Then stops the server
 * and the embedded database. A failed build leaves the server running.
 */
async function develop(root: string, options: { readonly mayBeElsewhere: boolean }): Promise<void> {
  requireApp(root);
  const interrupted = new AbortController();
  const database = newDevelopmentDatabase(root, options);
  await database.announce(readEnvironment(root)).catch(ignoreConfigError);
  const dashboard = newDevelopmentDashboard();
  const server = newDevelopmentServer(root, dashboard);
  const build = newBuild(root, database, interrupted.signal);
  const changes = await watchApp(root, build.isOwnWork);
  const restoreSignals = onInterrupt({
    first() {
      interrupted.abort();
      void changes.close();
    },
    again() {
      if (server.isRunning()) server.kill();
      else process.exit(exit.mustChange);
    },
  });

  let isSeeded = false;
  let last: Built | null = null;

  async function seedOnce(built: Built): Promise<void> {
    if (!isSeeded) isSeeded = (await seeded(root, built).catch(reportOrThrow)) === true;
  }

  async function round(changed: readonly string[]): Promise<void> {
    // Seed files are not part of the running app.
    if (last !== null && server.isRunning() && changed.every(isSeedFile)) return seedOnce(last);
    const built = await build.run().catch(reportOrThrow);
    last = built;
    if (interrupted.signal.aborted) return;
    if (built !== null) {
      await seedOnce(built);
      if (!interrupted.signal.aborted) await server.restart(built);
    } else sayAside(server.isRunning() ? "The server continues unchanged" : "Waiting for a change");
  }

  try {
    await round([]);
    for (let paths = await changes.next(); paths.length > 0; paths = await changes.next()) {
      sayAside(`Changed: ${paths.join(", ")}`);
      await round(paths);
    }
  } finally {
    await changes.close();
    dashboard.close();
    await server.stop();
    await database.stop();
    restoreSignals();
  }
  sayDone("Stopped");
}

/** Stores the app's seed files if no resource has a record; returns false if an error must be corrected first. */
async function seeded(root: string, { entry, config, environment }: Built): Promise<boolean> {
  if (!existsSync(join(root, "seed"))) return false;
  const { seedIfEmpty } = await import("../../../runtime/command/seed/seed.js");
  const NODE_ENV = environment.NODE_ENV || "development";
  const env = { ...environment, NODE_ENV, DATABASE_URL: config.database.url };
  return seedIfEmpty({ root, entry, env });
}

function isSeedFile(path: string): boolean {
  return path.startsWith("seed/");
}

/** Ignores errors in the settings, which the first build reports before it waits for a change. */
function ignoreConfigError(error: unknown): void {
  if (!(error instanceof ConfigError)) throw error;
}

function reportOrThrow(error: unknown): null {
  if (reportKnown(error)) return null;
  throw error;
}
