import { connect, createServer, type Socket } from "node:net";

/** Is between a client and a server, as a network is. */
export interface TcpProxy {
  /** The address of the server, as seen through the proxy. */
  readonly url: string;
  /** Lets nothing more through on the connections that are open; new ones work. */
  silence(): void;
  /** Lets nothing more through, on new connections either. */
  freeze(): void;
  /** Ends all connections, and each new one at once, until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Opens one to the server of this address. */
export async function openTcpProxy(address: string): Promise<TcpProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (!isFrozen) from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const silence = () => {
    for (const socket of sockets) {
      socket.unpipe();
      socket.pause();
    }
  };
  const place = server.address();
  const url = new URL(address);
  url.port = typeof place === "object" && place !== null ? String(place.port) : "";
  return {
    url: url.href,
    silence,
    freeze: () => {
      isFrozen = true;
      silence();
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore: () => {
      isCut = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
