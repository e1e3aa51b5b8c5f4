import type { Socket } from "node:net";
import { clientOf, isLoopback } from "../../values/addresses/ip-address.js";

/** Counts connections by client address. */
export interface Peers {
  /** Counts a connection until it closes; false if its client has too many. */
  admit(socket: Socket): boolean;
}

/**
 * Creates the counter. Connections from this machine are not limited, because a local proxy or dashboard serves many
 * clients.
 */
export function newPeers(max: number): Peers {
  const counts = new Map<string, number>();

  function release(client: string): void {
    const left = (counts.get(client) ?? 0) - 1;
    if (left > 0) counts.set(client, left);
    else counts.delete(client);
  }

  return {
    admit(socket) {
      const { remoteAddress } = socket;
      // The address is undefined if the client has already disconnected.
      if (max === Number.POSITIVE_INFINITY || remoteAddress === undefined) return true;
      if (isLoopback(remoteAddress)) return true;
      const client = clientOf(remoteAddress);
      const count = counts.get(client) ?? 0;
      if (count >= max) return false;
      counts.set(client, count + 1);
      socket.once("close", () => release(client));
      return true;
    },
  };
}
