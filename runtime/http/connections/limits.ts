import { leftoverBytes, leftoverMs } from "../answer/leftover.js";
import type { Pace } from "./pace.js";

/** What one client, and all clients together, may use of a server process. */
export interface ConnectionLimits {
  /** Connections in all. Then those that have been quiet longest make room; where there are none, the newest is closed. */
  readonly connections: number;
  /** Connections of one client; further ones are closed. */
  readonly perAddress: number;
  /** Requests of one connection that run at once; further ones are queued, and the socket is not read. */
  readonly running: number;
  /** Pipelined requests queued in all. The connection that exceeds this is closed. */
  readonly waiting: number;
  /** Requests that run at once in all; further ones are 503 at once. */
  readonly inFlight: number;
  /** Milliseconds for the head of a request. */
  readonly headMs: number;
  /** How fast a body has to arrive, and an answer has to be read. */
  readonly pace: Pace;
  /** Milliseconds for which a client may read nothing of what is being sent to it. */
  readonly stalledMs: number;
  /** Milliseconds and bytes for which a client may continue to send after its answer. */
  readonly leftoverMs: number;
  readonly leftoverBytes: number;
  /** Milliseconds between two checks of every connection. */
  readonly checkMs: number;
}

const connectionLimits: ConnectionLimits = {
  // An idle connection takes about 15 kB: 250 MB in all.
  connections: 16_384,
  // A network behind one address has some hundred people with six connections each at most. Sixteen such clients
  // together can fill the limit of all.
  perAddress: 1_000,
  // More than browsers (6 connections, one request each) and command-line clients ever pipeline.
  running: 16,
  // Node parses what one read brings (64 KiB, some 1 500 requests) before it can be stopped. A parsed
  // request takes about 3 kB: 50 MB in all.
  waiting: 16_384,
  // About what the database connections answer within a second; a longer queue would only be slower.
  inFlight: 1_000,
  headMs: 20_000,
  // About what the slowest phones send. A limit on the whole time would cut off large files.
  pace: { ms: 60_000, bytes: 256 * 1024 },
  stalledMs: 30_000,
  leftoverMs,
  leftoverBytes,
  checkMs: 1_000,
};

/** The limits of a server behind that many trusted proxies. Behind one, all clients have the same address. */
export function limitsBehind(trustedProxies: number): ConnectionLimits {
  if (trustedProxies === 0) return connectionLimits;
  return { ...connectionLimits, perAddress: Number.POSITIVE_INFINITY };
}
