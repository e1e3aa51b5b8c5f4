import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A network in front of several servers, which resets connections, and passes new ones to any server. */
export interface ResettingProxy {
  readonly url: string;
  /** Where connections go from now on. */
  use(urls: readonly string[]): void;
  /** Resets about that share of the connections. */
  reset(share: number): void;
  close(): Promise<void>;
}

export async function openResettingProxy(): Promise<ResettingProxy> {
  const sockets = new Set<Socket>();
  let targets: readonly URL[] = [];
  let opened = 0;
  const server = createServer((client) => {
    const target = targets[opened % targets.length];
    opened += 1;
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(client);
    client.pipe(upstream).pipe(client);
    const end = () => {
      sockets.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    use(urls) {
      targets = urls.map((url) => new URL(url));
    },
    reset(share) {
      for (const socket of sockets) if (Math.random() < share) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
