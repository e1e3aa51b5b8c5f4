import { ConfigError } from "../config/index.js";
import { isUnavailable, MigrationError } from "../db/index.js";

/** The server may not start as things are; the message says what to do. */
export class StartRefused extends Error {}

/** Runs the start; what the operator must change ends the process with 1 and a line for each. */
export async function startOrExit<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const lines = explain(error);
    if (lines === null) throw error;
    process.stderr.write(`${lines.join("\n")}\n`);
    process.exit(1);
  }
}

function explain(error: unknown): readonly string[] | null {
  if (error instanceof StartRefused) return [error.message];
  if (error instanceof ConfigError) {
    return error.problems.map(
      ({ file, line, column, message, hint }) =>
        `${file}:${line}:${column}: ${message}${hint === null ? "" : ` (${hint})`}`,
    );
  }
  if (error instanceof MigrationError) return [error.message];
  if (isUnavailable(error)) {
    return ["The database cannot be reached: check DATABASE_URL and that PostgreSQL is running"];
  }
  return null;
}
