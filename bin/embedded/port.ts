import { once } from "node:events";
import { createServer } from "node:net";

/** Number of ports after the preferred one that are tried before any free port is used. */
const maxNeighbours = 100;

/** Returns the preferred port of that host, or the next free one; any free port if `preferred` is 0. */
export async function freePort(host: string, preferred = 0): Promise<number> {
  for (let port = preferred; port <= Math.min(preferred + maxNeighbours, 65_535); port += 1) {
    const found = await tryPort(host, port);
    if (found !== null) return found;
  }
  return (await tryPort(host, 0)) ?? preferred;
}

/**
 * Resolves with null if the port is taken. Other errors (no such address, no privilege) are left for the server to
 * report.
 */
async function tryPort(host: string, port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : port;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EADDRINUSE" ? null : port;
  } finally {
    server.close();
  }
}
