import { refuse } from "../../errors/index.js";
import type { Services } from "../../services/index.js";
import { StorageError } from "./storage.js";

/** Seconds a client waits before it tries a storage again that is full or unreachable. */
const retryAfter = 10;

/** Does the work; a storage that cannot is logged, and the client told to come again: 503. */
export async function usingStorage<T>(
  { log }: Pick<Services, "log">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    log.error({ err: error }, "storage unavailable");
    return refuse("UNAVAILABLE", { retryAfter });
  }
}
