import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/index.js";
import { countWaiting } from "../../jobs/index.js";
import { mailsWaiting } from "../status/stored.js";

/** Counts in the database, the same for all processes. */
export interface StoredCounts {
  /** The lengths of queues, by their names. */
  readonly stored: Readonly<Record<string, () => Promise<number>>>;
  /** Null for an app in which no changes are logged. */
  readonly disabledWebhooks: (() => Promise<number>) | null;
}

/** Those of an app; null stands for what it does not have. */
export function storedCounts(
  db: Database,
  { running, webhooks }: { readonly running: object | null; readonly webhooks: object | null },
): StoredCounts {
  return {
    stored: {
      mails: () => mailsWaiting(db),
      ...(running !== null && { jobs: () => countWaiting(db) }),
    },
    disabledWebhooks: webhooks === null ? null : () => countDisabled(db),
  };
}

async function countDisabled(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    "select count(*)::int as count from service.webhooks where is_disabled",
  );
  return row?.count ?? 0;
}

/** Milliseconds for which the page waits for a count. */
const countMs = 2_000;

/** The count; null if there is none in time, and the gauge keeps its last value. */
export async function inTime(count: () => Promise<number>): Promise<number | null> {
  const over = new AbortController();
  const late = sleep(countMs, null, { signal: over.signal, ref: false }).catch(() => null);
  const counted = count().catch(() => null);
  try {
    return await Promise.race([counted, late]);
  } finally {
    over.abort();
  }
}
