import { openProxyPort, through } from "./proxy-port.js";

/** Is between a client and a server, as a network is. */
export interface TcpProxy {
  /** The address of the server, as seen through the proxy. */
  readonly url: string;
  /** Drops all traffic of open connections; new ones work. */
  silence(): void;
  /** Drops all traffic, of new connections too. */
  freeze(): void;
  /** Ends all connections, and each new one at once, until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Opens one to the server of this address. */
export async function openTcpProxy(address: string): Promise<TcpProxy> {
  const target = new URL(address);
  let isFrozen = false;
  let isCut = false;
  const port = await openProxyPort((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = port.join(client, target);
    if (!isFrozen) client.pipe(upstream).pipe(client);
  });
  const silence = () => {
    for (const socket of [...port.joined].flat()) {
      socket.unpipe();
      socket.pause();
    }
  };
  return {
    url: through(address, port).href,
    silence,
    freeze: () => {
      isFrozen = true;
      silence();
    },
    cut: () => {
      isCut = true;
      for (const client of port.joined.keys()) client.destroy();
    },
    restore: () => {
      isCut = false;
    },
    close: port.close,
  };
}
