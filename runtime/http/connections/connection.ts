import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Mark } from "./pace.js";

/** One client's connection and the requests on it. */
export interface Connection {
  readonly socket: Socket;
  /** The answers being made, in the order of their requests: the first is the one being sent. */
  readonly running: ServerResponse[];
  /** The answers to pipelined requests that have not been started. */
  readonly waiting: ServerResponse[];
  /** Called when an answer has been sent; made once, not for each request. */
  readonly onFinish: () => void;
  /** True when no further request is accepted; running ones are answered. */
  isEnding: boolean;
  /** True when nothing more is read. */
  hasStoppedReading: boolean;
  /** Answers the request whose body will never be complete when it is its turn; null where there is none. */
  refuseIncomplete: ((response: ServerResponse) => void) | null;
  /** Runs when no request is running or waiting. */
  whenIdle: (() => void) | null;
  /** What the last check saw. */
  readonly seen: Seen;
}

export interface Seen {
  /** Since when a request's head has been awaited; null while a request is under way. */
  head: Mark | null;
  /** Since when the pace of the current body has been measured. */
  body: (Mark & { readonly request: IncomingMessage }) | null;
  /** Since when an answered request has continued to send its body. */
  leftover: (Mark & { readonly request: IncomingMessage }) | null;
  /** Since when the client has read nothing; `bytes` were sent before. */
  stalled: Mark | null;
  /** Since when the pace has been measured at which the client reads. */
  unread: Mark | null;
  /** Since when nothing has moved; `bytes` moved before, in both directions. */
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

/** True when no request is running or waiting. */
export function isIdle({ running, waiting }: Connection): boolean {
  return running.length === 0 && waiting.length === 0;
}

/** True when the server works on a request of the connection, so that the client waits for the server. */
export function isAtWork({ running }: Connection): boolean {
  return running.some(({ req, headersSent }) => req.complete && !headersSent);
}

/** Bytes that the client has been sent, without those that still wait for it. */
export function sentBytes({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}

/** The request whose body has not arrived completely; it is always the last one. */
export function incompleteRequest({ running, waiting }: Connection): ServerResponse | null {
  const last = waiting.at(-1) ?? running.at(-1);
  return last === undefined || last.req.complete ? null : last;
}
