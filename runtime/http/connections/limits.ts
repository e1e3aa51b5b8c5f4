import { leftoverBytes, leftoverMs } from "../answer/leftover.js";

/** What one client, and all of them together, may take of a server process. */
export interface ConnectionLimits {
  /** Requests of one connection that run at once; those sent ahead wait, and the socket is not read. */
  readonly running: number;
  /** Requests sent ahead that wait in all. The connection that goes beyond is closed. */
  readonly waiting: number;
  /** Requests that run at once in all; further ones are 503 at once. */
  readonly inFlight: number;
  /** Milliseconds for the head of a request. */
  readonly headMs: number;
  /** Milliseconds, and the bytes of a body that must arrive in each such time. */
  readonly bodyMs: number;
  readonly bodyBytes: number;
  /** Milliseconds for which a client may take nothing of what is being sent to it. */
  readonly stalledMs: number;
  /** Milliseconds and bytes that a client may go on sending after its answer. */
  readonly leftoverMs: number;
  readonly leftoverBytes: number;
  /** Milliseconds between two looks at every connection. */
  readonly checkMs: number;
}

export const connectionLimits: ConnectionLimits = {
  // More than browsers (6 connections, one request each) and command-line clients ever send ahead.
  running: 16,
  // Node parses what one read brings (64 KiB, some 1 500 requests) before it can be stopped. A parsed
  // request takes about 3 kB: 50 MB in all.
  waiting: 16_384,
  // About what the database connections answer within a second; a longer queue would only be late.
  inFlight: 1_000,
  headMs: 20_000,
  // About what the slowest phones send. A limit of the whole time would cut off big files.
  bodyMs: 60_000,
  bodyBytes: 256 * 1024,
  stalledMs: 30_000,
  leftoverMs,
  leftoverBytes,
  checkMs: 1_000,
};
