import { ConfigError, withHint } from "../config/index.js";
import { connectionHint, isAddressRefused, isUnavailable, MigrationError } from "../db/index.js";

/** The server may not start as things are; the message says what to do. */
export class StartRefused extends Error {}

/**
 * Runs the start; what the operator must change ends the process with 1 and a line for each, or with a
 * line and its hint.
 */
export async function startOrExit<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const words = explain(error);
    if (words === null) throw error;
    process.stderr.write(`${words}\n`);
    process.exit(1);
  }
}

function explain(error: unknown): string | null {
  if (error instanceof StartRefused) return error.message;
  if (error instanceof ConfigError) return error.message;
  if (error instanceof MigrationError) return withHint(error.message, error.hint);
  if (isUnavailable(error)) {
    return withHint(
      "The database cannot be reached: nothing answers at DATABASE_URL",
      connectionHint(error),
    );
  }
  if (isAddressRefused(error)) {
    return withHint(`The database refuses DATABASE_URL: ${error.message}`, connectionHint(error));
  }
  return null;
}
