import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/index.js";
import { countWaiting } from "../../jobs/index.js";
import { mailsWaiting } from "../status/stored.js";

/** Counts read from the database, which are the same in all processes. */
export interface StoredCounts {
  /** Queue lengths by name. */
  readonly stored: Readonly<Record<string, () => Promise<number>>>;
  /** Null if the app logs no changes. */
  readonly disabledWebhooks: (() => Promise<number>) | null;
}

/** Creates the counts of an app; null marks a missing feature. */
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

/** Milliseconds that the page waits for a count. */
const countMs = 2_000;

/** Returns the count; null if it takes too long, and the gauge then keeps its previous value. */
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
