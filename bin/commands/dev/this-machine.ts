import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Where a database's host is; `unknown` if its name cannot be resolved in time. */
export type HostLocation = "here" | "elsewhere" | "unknown";

type LookUp = (host: string) => Promise<readonly { readonly address: string }[]>;

/** Milliseconds to wait for the system's resolver, whose default timeout may be 30 seconds. */
const lookupTimeoutMs = 5_000;

/** Determines whether a database's host is this machine: a Unix socket, or one of the machine's addresses. */
export async function locateHost(
  host: string,
  lookUp: LookUp = (name) => lookup(name, { all: true }),
): Promise<HostLocation> {
  // PostgreSQL clients treat a path as the folder of a Unix socket.
  if (host === "" || host.startsWith("/")) return "here";
  const found = await inTime(lookUp(host.replace(/^\[|\]$/g, "")));
  if (found === null || found.length === 0) return "unknown";
  return found.every(({ address }) => isOwn(address)) ? "here" : "elsewhere";
}

/** Resolves with null if the name is unknown or the lookup takes too long; the lookup itself cannot be aborted. */
async function inTime<T>(found: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  const late = sleep(lookupTimeoutMs, null, { signal: over.signal }).catch(() => null);
  try {
    return await Promise.race([found.catch(() => null), late]);
  } finally {
    over.abort();
  }
}

function isOwn(address: string): boolean {
  if (/^127\./.test(address) || address === "::1") return true;
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return own.some((one) => one.address === address);
}
