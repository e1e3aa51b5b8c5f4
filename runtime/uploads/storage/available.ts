import { refuse } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import { StorageError } from "./storage.js";

/** Seconds after which a client may retry if the storage is full or unreachable. */
const retryAfter = 10;

/** Runs the work; if the storage fails, logs that and responds with 503. */
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

/** Like `usingStorage`, for work that the client can resume: responds with 507 if the storage is full. */
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
