import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { sentBytes } from "../../http/index.js";

export interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the request is for a stream of changes. */
  readonly isStream: boolean;
  /** The request to the API; null before it is sent. */
  outgoing: ClientRequest | null;
  isOver: boolean;
}

/** The party that must act next, and how; `turn`: a previous response on the client's connection must end. */
export type Awaited =
  | "API connects"
  | "API takes the body"
  | "API begins its answer"
  | "API continues its answer"
  | "client sends"
  | "client reads"
  | "turn";

/** Returns what a passage waits for, and the number of bytes that measures its progress. */
export function awaitedOf(passage: Passage): { readonly awaited: Awaited; readonly bytes: number } {
  const { request, response, outgoing } = passage;
  const socket = outgoing?.socket ?? null;
  if (response.headersSent) {
    if (response.socket === null) return { awaited: "turn", bytes: 0 };
    if (response.writableLength > 0) {
      return { awaited: "client reads", bytes: sentBytes(response.socket) };
    }
    // The API has responded, but the client has yet to send the rest of its body.
    if (outgoing?.destroyed !== false) {
      return { awaited: "client sends", bytes: response.socket.bytesRead };
    }
    return { awaited: "API continues its answer", bytes: socket?.bytesRead ?? 0 };
  }
  if (outgoing === null || socket === null || socket.connecting) {
    return { awaited: "API connects", bytes: 0 };
  }
  if (!outgoing.writableNeedDrain && !request.complete) {
    return { awaited: "client sends", bytes: request.socket.bytesRead };
  }
  if (!outgoing.writableFinished) {
    return { awaited: "API takes the body", bytes: sentBytes(socket) };
  }
  return { awaited: "API begins its answer", bytes: 0 };
}
