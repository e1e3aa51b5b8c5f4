import { openProxyPort } from "./proxy-port.js";

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
  let targets: readonly URL[] = [];
  let opened = 0;
  const port = await openProxyPort((client) => {
    const target = targets[opened % targets.length];
    opened += 1;
    if (target === undefined) {
      client.destroy();
      return;
    }
    client.pipe(port.join(client, target)).pipe(client);
  });
  return {
    url: `http://127.0.0.1:${port.port}`,
    use(urls) {
      targets = urls.map((url) => new URL(url));
    },
    reset(share) {
      for (const client of port.joined.keys()) if (Math.random() < share) client.resetAndDestroy();
    },
    close: port.close,
  };
}
