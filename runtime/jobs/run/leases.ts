import type { Database } from "../../db/index.js";
import type { HeldJob } from "../job/definition.js";
import { renewLeases } from "../store/claim.js";

/** The timeout of one renewal in milliseconds: several renewals fit into a lease. */
const mostMs = 4_000;

/** Renews the leases of the jobs that a process runs. */
export interface LeaseKeeper {
  /** Starts a timer that renews the leases, independently of the process's other statements. */
  start(): void;
  /**
   * Renews the leases now. Never rejects: if the database is down, the next statement reports it.
   */
  renew(): Promise<void>;
  stop(): void;
}

/** Renews the leases of the jobs that `held` returns. */
export function newLeaseKeeper(
  db: Database,
  { leaseSeconds, everyMs }: { readonly leaseSeconds: number; readonly everyMs: number },
  held: () => readonly HeldJob[],
): LeaseKeeper {
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | null = null;

  async function renewHeld(): Promise<void> {
    const jobs = held();
    if (jobs.length === 0) return;
    await db
      .transaction((tx) => renewLeases(tx, jobs, leaseSeconds), { statementMs: mostMs })
      .catch(() => {});
  }

  function renew(): Promise<void> {
    renewing ??= renewHeld().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  return {
    start: () => {
      timer = setInterval(() => void renew(), everyMs);
      timer.unref();
    },
    renew,
    stop: () => clearInterval(timer),
  };
}
