import cluster from "node:cluster";
import { z } from "zod";
import { ConfigError } from "../../config/index.js";
import { connectionProblem } from "../../db/index.js";
import { problemLines, StartRefused } from "../../errors/index.js";
import { messageReader } from "../../messages/index.js";
import { MigrationError } from "../../migrate/at-start.js";
import { StorageError } from "../../uploads/at-start.js";
import { testSetups } from "./test-setup.js";

/**
 * Runs the start. A problem that needs a fix is written to standard error, one per line, and the process exits with
 * status 1; in a test, the error is thrown. A server writes only the log and, in development, its emails.
 */
export async function startOrExit<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const text = explain(error);
    if (text === null) throw error;
    if (testSetups.getStore() !== undefined) throw new Error(text, { cause: error });
    process.stderr.write(`${text}\n`);
    await tellPrimary(text);
    process.exit(1);
  }
}

const refusal = z.object({ service: z.literal("refused"), reason: z.string() });
const readRefusal = messageReader(refusal);

/** Sends the primary the reason why this process does not start. */
async function tellPrimary(reason: string): Promise<void> {
  if (!cluster.isWorker || !process.connected) return;
  const message: z.input<typeof refusal> = { service: "refused", reason };
  await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
}

/** The reason why a worker does not start, if the message contains it; otherwise null. */
export function refusalIn(message: unknown): string | null {
  return readRefusal(message)?.reason ?? null;
}

function explain(error: unknown): string | null {
  if (error instanceof StartRefused || error instanceof ConfigError) return error.message;
  if (error instanceof MigrationError) return problemLines(error.problems);
  if (error instanceof StorageError) return problemLines([error]);
  const problem = connectionProblem(error);
  return problem === null ? null : problemLines([problem]);
}
