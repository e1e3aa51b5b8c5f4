import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** One client's connection and the requests on it. */
export interface Connection {
  readonly socket: Socket;
  /** The answers under way, in the order of their requests: the first is the one being sent. */
  readonly running: ServerResponse[];
  /** Those of requests that were sent ahead and have not been started. */
  readonly waiting: ServerResponse[];
  /** Called when an answer has been sent; made once, not for each request. */
  readonly onFinish: () => void;
  /** True when no further request is taken; what is running is answered. */
  isEnding: boolean;
  /** True when nothing is read any more. */
  hasStoppedReading: boolean;
  /** Runs when nothing is under way. */
  whenIdle: (() => void) | null;
  /** What was seen at the last look. */
  readonly seen: Seen;
}

/** A point in time and the bytes read until then. */
export interface Mark {
  readonly at: number;
  readonly bytes: number;
}

export interface Seen {
  /** Since when a request's head has been awaited; null while a request is under way. */
  head: Mark | null;
  /** Since when the present body's pace has been counted. */
  body: (Mark & { readonly request: IncomingMessage }) | null;
  /** Since when a request that has been answered goes on sending its body. */
  leftover: (Mark & { readonly request: IncomingMessage }) | null;
  /** Since when the client has taken nothing; `bytes` were sent before. */
  stalled: Mark | null;
  /** When the connection must be gone. */
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
    whenIdle: null,
    seen: {
      head: { at: performance.now(), bytes: -1 },
      body: null,
      leftover: null,
      stalled: null,
      deadline: null,
    },
  };
  return connection;
}

/** True when no request is running or waiting. */
export function isIdle({ running, waiting }: Connection): boolean {
  return running.length === 0 && waiting.length === 0;
}

/** The request of which nothing or only a part of the body is here; it is always the last one. */
export function incompleteRequest({ running, waiting }: Connection): ServerResponse | null {
  const last = waiting.at(-1) ?? running.at(-1);
  return last === undefined || last.req.complete ? null : last;
}
