import { connect, type Socket } from "node:net";
import type { Random } from "../openapi/random.js";
import { openProxyPort, through } from "./proxy-port.js";

/** What a network does to connections, at random moments. */
export type Fault =
  /** Everything comes a while later. */
  | "delay"
  /** What is sent gets lost, and the connection ends. */
  | "drop"
  /** The connection is reset. */
  | "reset"
  /** A part of what was sent arrives before the end. */
  | "truncate"
  /** Nothing arrives any more, and no side is notified. */
  | "black hole";

export const faults: readonly Fault[] = ["delay", "drop", "reset", "truncate", "black hole"];

/** A network that fails at random. */
export interface FaultyProxy {
  /** The address of the server, as seen through the proxy. */
  readonly url: string;
  /** From now on this happens to each connection, open ones too, after a random while below this; null: nothing. */
  fail(fault: Fault | null, withinMs?: number): void;
  close(): Promise<void>;
}

interface Pair {
  readonly sockets: readonly [Socket, Socket];
  readonly chance: Random;
  fault: Fault | null;
}

/** Opens one to the server of this address; what is random is chosen by `chance`. */
export async function openFaultyProxy(address: string, chance: Random): Promise<FaultyProxy> {
  const target = new URL(address);
  const pairs = new Set<Pair>();
  let current: { readonly fault: Fault; readonly withinMs: number } | null = null;

  function strike(pair: Pair): void {
    if (current === null) return;
    const { fault, withinMs } = current;
    const timer = setTimeout(() => {
      // The network may be well again.
      if (current?.fault !== fault) return;
      pair.fault = fault;
      if (fault === "reset") for (const socket of pair.sockets) socket.resetAndDestroy();
    }, chance.below(withinMs));
    pair.sockets[0].once("close", () => clearTimeout(timer));
  }

  const port = await openProxyPort((client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const pair: Pair = { sockets: [client, upstream], chance, fault: null };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    pass(client, upstream, pair, end);
    pass(upstream, client, pair, end);
    strike(pair);
  });
  return {
    url: through(address, port).href,
    fail: (fault, withinMs = 500) => {
      current = fault === null ? null : { fault, withinMs };
      for (const pair of pairs) strike(pair);
      if (fault !== null) return;
      // What was black-holed stays so. Connections that have not failed yet work again.
      for (const pair of pairs) if (pair.fault !== "black hole") pair.fault = null;
    },
    close: async () => {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      await port.close();
    },
  };
}

/** Milliseconds; less than any time limit. */
const delayMs = 300;

function pass(from: Socket, to: Socket, pair: Pair, end: () => void): void {
  // One after the other, so that a delay keeps their order.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => void) => {
    const isLate = pair.fault === "delay";
    last = last.then(() => (isLate ? new Promise((done) => setTimeout(done, delayMs)) : null));
    last = last.then(work);
  };
  from.on("data", (chunk: Buffer) => {
    if (pair.fault === "black hole") return;
    if (pair.fault === "drop") return end();
    if (pair.fault === "truncate") {
      // What follows must not pass while that is written.
      from.pause();
      to.write(chunk.subarray(0, pair.chance.below(chunk.length)), end);
      return;
    }
    inTurn(() => {
      if (!to.destroyed) to.write(chunk);
    });
  });
  from.on("error", end);
  from.on("close", () => {
    if (pair.fault !== "black hole") inTurn(end);
  });
}
