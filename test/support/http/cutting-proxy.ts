import type { Socket } from "node:net";
import { openProxyPort, through } from "./proxy-port.js";

/** Bytes of a connection that pass before it is cut, in either direction. */
export type Cut = { readonly sent: number } | { readonly received: number };

/** A network that loses connections. */
export interface CuttingProxy {
  /** The address of the server, as seen through the proxy. */
  readonly url: string;
  /** Number of opened connections. */
  readonly opened: () => number;
  close(): Promise<void>;
}

/** Opens one to the server of this address; the first connections end as told, in turn, and others do not. */
export async function openCuttingProxy(
  address: string,
  cuts: readonly Cut[],
): Promise<CuttingProxy> {
  const target = new URL(address);
  let opened = 0;
  const port = await openProxyPort((client) => {
    const cut = cuts[opened];
    opened += 1;
    const upstream = port.join(client, target);
    const there = cut !== undefined && "sent" in cut ? cut.sent : Number.POSITIVE_INFINITY;
    const back = cut !== undefined && "received" in cut ? cut.received : Number.POSITIVE_INFINITY;
    pass(client, upstream, there);
    pass(upstream, client, back);
  });
  return { url: through(address, port).origin, opened: () => opened, close: port.close };
}

/** Hands on so many bytes, then ends. */
function pass(from: Socket, to: Socket, limit: number): void {
  let left = limit;
  if (left === 0) {
    from.destroy();
    return;
  }
  from.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, left);
    left -= part.length;
    to.write(part, () => {
      if (left === 0) from.destroy();
    });
  });
}
