import { once } from "node:events";
import { createServer } from "node:net";

/** How many ports beside the wished one are tried before any is good enough. */
const neighbours = 100;

/** The wished port of that host, or the next one that nobody listens on. */
export async function freePort(host: string, wished: number): Promise<number> {
  for (let port = wished; port <= Math.min(wished + neighbours, 65_535); port += 1) {
    const found = await tryPort(host, port);
    if (found !== null) return found;
  }
  return (await tryPort(host, 0)) ?? wished;
}

/** Null when the port is taken; other refusals (no such address, no right) are the server's to tell. */
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
