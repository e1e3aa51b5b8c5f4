import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";

/** Whether a database's host is the machine that this runs on: a socket, or an address of its own. */
export async function isThisMachine(host: string): Promise<boolean> {
  // PostgreSQL's clients take a path for the folder of a Unix socket.
  if (host === "" || host.startsWith("/")) return true;
  const addresses = await addressesOf(host);
  return addresses.length > 0 && addresses.every(isOwn);
}

/** None for a name that nobody knows. */
async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    const found = await lookup(host.replace(/^\[|\]$/g, ""), { all: true });
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
}

function isOwn(address: string): boolean {
  if (/^127\./.test(address) || address === "::1") return true;
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return own.some((one) => one.address === address);
}
