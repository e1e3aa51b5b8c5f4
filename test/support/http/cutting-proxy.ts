import { connect, createServer, type Socket } from "node:net";

/** How many bytes of a connection come through before the network is gone: on the way there, or back. */
export type Cut = { readonly sent: number } | { readonly received: number };

/** A network that loses connections. */
export interface CuttingProxy {
  /** The address of the server, as seen through the proxy. */
  readonly url: string;
  /** How many connections were opened. */
  readonly opened: () => number;
  close(): Promise<void>;
}

/** Opens one to the server of this address; the first connections end as told, in turn, and others do not. */
export async function openCuttingProxy(
  address: string,
  cuts: readonly Cut[],
): Promise<CuttingProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((client) => {
    const cut = cuts[opened];
    opened += 1;
    const upstream = connect(Number(target.port), target.hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    const there = cut !== undefined && "sent" in cut ? cut.sent : Number.POSITIVE_INFINITY;
    const back = cut !== undefined && "received" in cut ? cut.received : Number.POSITIVE_INFINITY;
    pass(client, upstream, there, end);
    pass(upstream, client, back, end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  const url = new URL(address);
  url.port = typeof place === "object" && place !== null ? String(place.port) : "";
  return {
    url: url.origin,
    opened: () => opened,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Hands on so many bytes, then ends. */
function pass(from: Socket, to: Socket, limit: number, end: () => void): void {
  let left = limit;
  if (left === 0) {
    end();
    return;
  }
  from.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, left);
    left -= part.length;
    to.write(part, () => {
      if (left === 0) end();
    });
  });
}
