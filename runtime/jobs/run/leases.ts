import type { Database } from "../../db/index.js";
import type { HeldJob } from "../job/definition.js";
import { renewLeases } from "../store/claim.js";

/** Milliseconds that one renewal may take: several fit into a lease. */
const mostMs = 4_000;

/** Keeps what a process runs from being taken over by others. */
export interface LeaseKeeper {
  /** Begins to renew the leases by a timer, however long the other statements of the process take. */
  start(): void;
  /** Renews them now. Never rejects: where the database is down, whoever asks it next notices. */
  renew(): Promise<void>;
  stop(): void;
}

/** Renews the leases of the jobs that `held` answers. */
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
