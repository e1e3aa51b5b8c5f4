import type { Services } from "../../own-code/index.js";
import { deleteOldAnswers } from "./kept-answers.js";

/** Deletes expired responses at regular intervals until it is closed. */
export interface Forgetting {
  close(): Promise<void>;
}

/** Milliseconds between two runs, and between startup and the first run. */
const usualPause = 10 * 60 * 1000;

/**
 * The maximum number of responses that one statement deletes: enough to keep up with a busy app, and few enough to be
 * fast.
 */
const atOnce = 1_000;

/** Starts deleting expired responses of idempotency keys. */
export function startForgetting(
  { db, log }: Pick<Services, "db" | "log">,
  pause = usualPause,
): Forgetting {
  let isClosed = false;
  let run: Promise<void> | null = null;

  async function forget(): Promise<void> {
    try {
      while (!isClosed && (await deleteOldAnswers(db, atOnce)) === atOnce);
    } catch (error) {
      log.warn({ err: error }, "expired responses of idempotency keys could not be deleted");
    }
  }

  const timer = setInterval(() => {
    run ??= forget().finally(() => {
      run = null;
    });
  }, pause).unref();
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await run;
    },
  };
}
