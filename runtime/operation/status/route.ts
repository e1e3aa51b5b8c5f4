import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../errors/index.js";
import type { HandledRoute } from "../../http/index.js";
import { type Numbers, requestsOf, slowestOf } from "./numbers.js";
import type { Stored } from "./stored.js";

export interface StatusParts {
  readonly version: string;
  /** The counts of all processes of this machine. */
  readonly numbers: () => Promise<readonly Numbers[]>;
  readonly stored: () => Promise<Stored>;
}

/** Milliseconds during which all requests share one response. */
const sharedMs = 1_000;
/** The timeout in milliseconds; the response may take 2.5 s. */
const patience = 2_300;

/** `GET /_service/status`, for the roles in `auth.operators`. */
export function statusRoute(operators: readonly string[], parts: StatusParts): HandledRoute {
  let answer: Promise<string> | null = null;
  let until = 0;
  return {
    method: "GET",
    path: "/_service/status",
    access: operators,
    handle: async ({ services }) => {
      if (answer === null || performance.now() > until) {
        until = performance.now() + sharedMs;
        answer = inTime(statusOf(parts, services.clock.now().getTime()));
      }
      return { status: 200, json: await answer };
    },
  };
}

async function statusOf({ version, numbers, stored }: StatusParts, now: number): Promise<string> {
  const [all, { database, migrations, tables, storage, mails }] = await Promise.all([
    numbers(),
    stored(),
  ]);
  return JSON.stringify({
    version,
    startedAt: new Date(Math.min(...all.map(({ startedAt }) => startedAt))),
    processes: all.length,
    database,
    migrations,
    tables,
    storage,
    mails,
    requests: requestsOf(all, now),
    slow: slowestOf(all),
  });
}

/** Throws a 503 if the response takes too long. */
async function inTime(answer: Promise<string>): Promise<string> {
  // A failure after the timeout is ignored.
  answer.catch(() => {});
  const ended = new AbortController();
  const late = sleep(patience, null, { signal: ended.signal, ref: false }).catch(() => null);
  try {
    const text = await Promise.race([answer, late]);
    if (text === null) throw new Refusal("UNAVAILABLE", { retryAfter: 1 });
    return text;
  } finally {
    ended.abort();
  }
}
