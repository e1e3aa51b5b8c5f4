import { leftoverBytes, leftoverMs } from "../answer/leftover.js";
import type { Pace } from "./pace.js";

/** Limits per client and per server process. */
export interface ConnectionLimits {
  /** Maximum number of connections. Beyond it, the quietest are closed or, if none is quiet, the newest. */
  readonly connections: number;
  /** Maximum number of connections per client address; further ones are closed. */
  readonly perAddress: number;
  /** Maximum number of concurrent requests per connection. Further ones are queued, and the socket is not read. */
  readonly running: number;
  /** Maximum number of queued pipelined requests on all connections. The connection that exceeds it is closed. */
  readonly waiting: number;
  /** Maximum number of concurrent requests on all connections; further ones get a 503 immediately. */
  readonly inFlight: number;
  /** Milliseconds for the head of a request. */
  readonly headMs: number;
  /** The minimum pace of sending a body and of reading a response. */
  readonly pace: Pace;
  /** Milliseconds for which a client may stop reading a response. */
  readonly stalledMs: number;
  /** Milliseconds and bytes for which a client may continue to send after its response. */
  readonly leftoverMs: number;
  readonly leftoverBytes: number;
  /** Milliseconds between two checks of every connection. */
  readonly checkMs: number;
}

const connectionLimits: ConnectionLimits = {
  // An idle connection takes about 15 kB: 250 MB in all.
  connections: 16_384,
  // A network behind one address has some hundred people with at most six connections each. Sixteen such clients can
  // reach the limit of all.
  perAddress: 1_000,
  // More than browsers (6 connections, one request each) and command-line clients ever pipeline.
  running: 16,
  // Node parses a whole read (64 KiB, some 1,500 requests) before it can be stopped. A parsed request takes about 3 kB:
  // 50 MB in all.
  waiting: 16_384,
  // About the number of requests that the database connections can process in a second; a longer queue would only add
  // latency.
  inFlight: 1_000,
  headMs: 20_000,
  // About the rate of the slowest phones. A limit on the total time would cut off large files.
  pace: { ms: 60_000, bytes: 256 * 1024 },
  stalledMs: 30_000,
  leftoverMs,
  leftoverBytes,
  checkMs: 1_000,
};

/** The limits of a server behind trusted proxies, where all clients share one address. */
export function limitsBehind(trustedProxies: number): ConnectionLimits {
  if (trustedProxies === 0) return connectionLimits;
  return { ...connectionLimits, perAddress: Number.POSITIVE_INFINITY };
}
