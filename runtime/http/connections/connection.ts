import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Mark } from "./pace.js";

/** One client's connection and the requests on it. */
export interface Connection {
  readonly socket: Socket;
  /** Running responses in request order; the first one is being sent. */
  readonly running: ServerResponse[];
  /** Responses to pipelined requests that have not been started. */
  readonly waiting: ServerResponse[];
  /** Called when a response has been sent; created once per connection. */
  readonly onFinish: () => void;
  /** Whether further requests are refused; running ones still get their responses. */
  isEnding: boolean;
  hasStoppedReading: boolean;
  /** Refuses the request whose body will never be complete, after the responses before it; null if there is none. */
  refuseIncomplete: ((response: ServerResponse) => void) | null;
  /** Called when no request is running or waiting. */
  whenIdle: (() => void) | null;
  /** The state at the last check. */
  readonly seen: Seen;
}

export interface Seen {
  /** The start of the wait for a request's head; null while a request is in progress. */
  head: Mark | null;
  /** Where measuring the transfer rate of the current body started. */
  body: (Mark & { readonly request: IncomingMessage }) | null;
  /** Since when a request has continued to send its body after its response. */
  leftover: (Mark & { readonly request: IncomingMessage }) | null;
  /** The time since which the client has read nothing; `bytes` were sent before. */
  stalled: Mark | null;
  /** Where measuring the client's reading rate started. */
  unread: Mark | null;
  /** The time since which no bytes have moved; `bytes` moved before, in both directions. */
  quiet: Mark | null;
  /** When the connection must be closed. */
  deadline: number | null;
}

export function newConnection(
  socket: Socket,
  onFinish: (connection: Connection) => void,
): Connection {
  const connection: Connection = {
    socket,
    running: [],
    waiting: [],
    onFinish: () => onFinish(connection),
    isEnding: false,
    hasStoppedReading: false,
    refuseIncomplete: null,
    whenIdle: null,
    seen: {
      head: { at: performance.now(), bytes: -1 },
      body: null,
      leftover: null,
      stalled: null,
      unread: null,
      quiet: null,
      deadline: null,
    },
  };
  return connection;
}

/** Whether no request is running or waiting. */
export function isIdle({ running, waiting }: Connection): boolean {
  return running.length === 0 && waiting.length === 0;
}

/** Whether the server works on a request of the connection, so that the client waits for the server. */
export function isAtWork({ running }: Connection): boolean {
  return running.some(({ req, headersSent }) => req.complete && !headersSent);
}

/** Returns the number of bytes sent to the client, without those still buffered. */
export function sentBytes({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}

/** Returns the request whose body has not arrived completely, which is always the last one. */
export function incompleteRequest({ running, waiting }: Connection): ServerResponse | null {
  const last = waiting.at(-1) ?? running.at(-1);
  return last === undefined || last.req.complete ? null : last;
}
