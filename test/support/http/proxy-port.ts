import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Where a proxy of a test listens. */
export interface ProxyPort {
  readonly port: number;
  /** The sockets to servers, by those of the clients. */
  readonly joined: ReadonlyMap<Socket, Socket>;
  /** Connects a client to a server; when one side ends, so does the other. */
  join(client: Socket, server: URL): Socket;
  /** Ends all connections, then the port. */
  close(): Promise<void>;
}

/** Listens on a free port of this machine, and calls `take` with each client. */
export async function openProxyPort(take: (client: Socket) => void): Promise<ProxyPort> {
  const clients = new Set<Socket>();
  const joined = new Map<Socket, Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client));
    take(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    joined,
    join: (client, { port, hostname }) => {
      const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
      joined.set(client, upstream);
      const end = () => {
        joined.delete(client);
        client.destroy();
        upstream.destroy();
      };
      for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
      return upstream;
    },
    close: async () => {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The address of a server, as seen through a port. */
export function through(address: string, { port }: Pick<ProxyPort, "port">): URL {
  const url = new URL(address);
  url.port = String(port);
  return url;
}
