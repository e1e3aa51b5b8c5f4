import { refuse } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import { StorageError } from "./storage.js";

/** Seconds after which a client may retry on a storage that is full or unreachable. */
const retryAfter = 10;

/** Runs the work; a failure of the storage is logged and answered with 503. */
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

/** Like `usingStorage`, for work that the client can resume: answers 507 if there is no room. */
export async function goingOn<T>(
  { log }: Pick<Services, "log">,
  work: () => Promise<T>,
): Promise<T> {
  return usingStorage({ log }, () =>
    work().catch((error: unknown) => {
      if (!(error instanceof StorageError && error.isFull)) throw error;
      log.error({ err: error }, "storage full");
      return refuse("STORAGE_FULL", { retryAfter });
    }),
  );
}
