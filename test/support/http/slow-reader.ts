import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How a body is read: this many bytes, then a pause. */
export interface Pace {
  readonly bytes: number;
  readonly pauseMs: number;
}

/** A server that reads bodies slowly, or not at all without a pace, and answers as one that stored a file. */
export async function openSlowReader(pace: Pace | null): Promise<{
  readonly url: string;
  readonly seen: IncomingHttpHeaders[];
  readonly received: () => number;
  readonly close: () => Promise<void>;
}> {
  const seen: IncomingHttpHeaders[] = [];
  let received = 0;
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "content-type");
    response.setHeader("access-control-allow-methods", "PUT");
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    seen.push(request.headers);
    if (pace === null) return;
    let due = pace.bytes;
    try {
      for await (const chunk of request) {
        received += chunk.length;
        if (received < due) continue;
        due += pace.bytes;
        await sleep(pace.pauseMs);
      }
    } catch {
      // The client gave up.
      return;
    }
    response.end('{"key":"products/manual/1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/api`,
    seen,
    received: () => received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
