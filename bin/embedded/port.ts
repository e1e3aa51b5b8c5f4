import { once } from "node:events";
import { createServer } from "node:net";

/** A port of 127.0.0.1 that nobody listens on at this moment: the wished one if it is free. */
export async function freePort(wished = 0): Promise<number> {
  const server = createServer();
  try {
    server.listen(wished, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port to listen on");
    return address.port;
  } catch (error) {
    if (wished === 0) throw error;
    return freePort();
  } finally {
    server.close();
  }
}
