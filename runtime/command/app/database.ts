import { type Config, readConfig, readDatabaseUrl, readEnvironment } from "../../config/index.js";
import { developmentDatabase, type StartedDatabase } from "./development.js";
import { requireApp } from "./folder.js";

/**
 * Runs the work with the app's configuration, on the development database if the app configures none. That database is
 * stopped afterwards, even after a signal, unless another command uses it.
 */
export async function withConfig<T>(
  root: string,
  work: (config: Config) => Promise<T>,
): Promise<T> {
  requireApp(root);
  const environment = readEnvironment(root);
  const url = readDatabaseUrl({ root, environment });
  if (url !== null) return work(readConfig({ root, environment }));
  return withDevelopment(root, (databaseUrl) =>
    work(readConfig({ root, environment, databaseUrl })),
  );
}

/** Like `withConfig`, for work that needs only the database's address. */
export async function withDatabase<T>(root: string, work: (url: string) => Promise<T>): Promise<T> {
  requireApp(root);
  return withDatabaseAt(readDatabaseUrl({ root, environment: readEnvironment(root) }), root, work);
}

/** Runs the work on the database at that address, or on the development database if the address is null. */
export async function withDatabaseAt<T>(
  url: string | null,
  root: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  return url === null ? withDevelopment(root, work) : work(url);
}

async function withDevelopment<T>(root: string, work: (url: string) => Promise<T>): Promise<T> {
  const starting = developmentDatabase().start(root);
  const ignoreSignals = stopOnSignal(starting);
  const database = await starting;
  try {
    return await work(database.url);
  } finally {
    await database.stop();
    ignoreSignals();
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends the process with the signal that it received, once the database is stopped. */
function stopOnSignal(starting: Promise<StartedDatabase>): () => void {
  const ignore = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  const stop = (signal: NodeJS.Signals) => {
    ignore();
    const end = () => process.kill(process.pid, signal);
    starting.then((database) => database.stop()).then(end, end);
  };
  for (const signal of signals) process.on(signal, stop);
  return ignore;
}
