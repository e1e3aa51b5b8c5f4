import { once } from "node:events";
import { createServer } from "node:net";

/** Ports after the preferred one that are tried before any free port is used. */
const maxNeighbours = 100;

/** The preferred port of that host, or the next one that is free; any free port for 0. */
export async function freePort(host: string, preferred = 0): Promise<number> {
  for (let port = preferred; port <= Math.min(preferred + maxNeighbours, 65_535); port += 1) {
    const found = await tryPort(host, port);
    if (found !== null) return found;
  }
  return (await tryPort(host, 0)) ?? preferred;
}

/** Null if the port is taken; the server reports other errors (no such address, no privilege). */
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
