import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "../../db/index.js";
import { reasonOf } from "../../errors/index.js";
import type { Log } from "../../own-code/index.js";

/** The result of a check; `off` if there is nothing to check. */
export type CheckState = "ok" | "failing" | "off";

/** Checks one part of the server; concurrent callers share one run. */
export type Check = () => Promise<CheckState>;

export interface CheckOptions {
  readonly name: string;
  /** Throws the reason if the part does not work. */
  readonly run: () => Promise<void>;
  /** The minimum interval between runs, in milliseconds. */
  readonly everyMs: number;
  /** Whether only the first run is waited for; later callers get the previous state. */
  readonly isInBackground?: boolean;
  /** The state to return while the database is unavailable. */
  readonly keptWithoutDatabase?: CheckState;
  readonly log: Pick<Log, "info" | "warn">;
}

/** The timeout of a run, in milliseconds. */
const patience = 2_000;

/** Creates a check that runs on demand and logs the reason of a failure when it changes. */
export function newCheck({
  name,
  run,
  everyMs,
  isInBackground = false,
  keptWithoutDatabase,
  log,
}: CheckOptions): Check {
  let state: CheckState | null = keptWithoutDatabase ?? null;
  let current: Promise<CheckState> | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;
  /** Whether a run that timed out is still pending: another would only queue behind it. */
  let isStuck = false;

  async function begin(): Promise<CheckState> {
    nextAt = performance.now() + everyMs;
    const found = isStuck ? unanswered : await failureOf(work());
    const isKept = keptWithoutDatabase !== undefined && found?.isUnavailable === true;
    const next = isKept ? (state ?? keptWithoutDatabase) : found === null ? "ok" : "failing";
    if (next === "failing" && state !== "failing") {
      log.warn({ check: name, reason: found?.reason }, `The check of the ${name} fails`);
    }
    if (next === "ok" && state === "failing") {
      log.info({ check: name }, `The check of the ${name} succeeds again`);
    }
    state = next;
    return next;
  }

  async function work(): Promise<void> {
    isStuck = true;
    try {
      await run();
    } finally {
      isStuck = false;
    }
  }

  return async () => {
    if (current === null && performance.now() >= nextAt) {
      const begun = begin().finally(() => {
        current = null;
      });
      current = begun;
    }
    const isKnown = state !== null && (isInBackground || current === null);
    return isKnown && state !== null ? state : (current ?? "failing");
  };
}

interface Failure {
  readonly reason: string;
  readonly isUnavailable: boolean;
}

const unanswered: Failure = { reason: "there was no response within 2 s", isUnavailable: true };

/** Returns why the work failed; null if it succeeded in time. */
async function failureOf(work: Promise<void>): Promise<Failure | null> {
  const ended = new AbortController();
  const late = sleep(patience, unanswered, { signal: ended.signal }).catch(() => unanswered);
  try {
    return await Promise.race([work.then(() => null), late]);
  } catch (error) {
    return { reason: reasonOf(error), isUnavailable: isUnavailable(error) };
  } finally {
    ended.abort();
  }
}
