import { leftoverBytes, leftoverMs } from "../answer/leftover.js";

/** What one client, and all clients together, may use of a server process. */
export interface ConnectionLimits {
  /** Requests of one connection that run at once; further ones are queued, and the socket is not read. */
  readonly running: number;
  /** Pipelined requests queued in all. The connection that exceeds this is closed. */
  readonly waiting: number;
  /** Requests that run at once in all; further ones are 503 at once. */
  readonly inFlight: number;
  /** Milliseconds for the head of a request. */
  readonly headMs: number;
  /** Milliseconds, and the bytes of a body that must arrive in each such period. */
  readonly bodyMs: number;
  readonly bodyBytes: number;
  /** Milliseconds for which a client may read nothing of what is being sent to it. */
  readonly stalledMs: number;
  /** Milliseconds and bytes for which a client may continue to send after its answer. */
  readonly leftoverMs: number;
  readonly leftoverBytes: number;
  /** Milliseconds between two checks of every connection. */
  readonly checkMs: number;
}

export const connectionLimits: ConnectionLimits = {
  // More than browsers (6 connections, one request each) and command-line clients ever pipeline.
  running: 16,
  // Node parses what one read brings (64 KiB, some 1 500 requests) before it can be stopped. A parsed
  // request takes about 3 kB: 50 MB in all.
  waiting: 16_384,
  // About what the database connections answer within a second; a longer queue would only be slower.
  inFlight: 1_000,
  headMs: 20_000,
  // About what the slowest phones send. A limit on the whole time would cut off large files.
  bodyMs: 60_000,
  bodyBytes: 256 * 1024,
  stalledMs: 30_000,
  leftoverMs,
  leftoverBytes,
  checkMs: 1_000,
};
