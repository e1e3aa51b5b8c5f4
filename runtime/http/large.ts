import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Longer answers are sent in parts of so many bytes, as their client takes them. */
export const largeAnswer = 64 * 1024;

/**
 * Bytes of large answers that are kept for clients in all: sixteen lists of the longest kind. A client
 * that reads takes a whole one within a second.
 */
const mostHeld = 32 * 1024 * 1024;

/** Milliseconds without progress after which an answer may be given up for another client's. */
const stalledMs = 1_000;

interface Held {
  readonly bytes: number;
  /** When the client last took a part. */
  progressAt: number;
}

/** In the order in which they were made. */
const held = new Map<ServerResponse, Held>();
let heldBytes = 0;

/**
 * Whether so many bytes more may be kept. Where too much is kept already, the connections of clients
 * that do not read are closed, the oldest answer first.
 */
export function hasRoomFor(bytes: number): boolean {
  const stalledSince = performance.now() - stalledMs;
  for (const [response, { progressAt }] of held) {
    if (heldBytes + bytes <= mostHeld) return true;
    if (progressAt > stalledSince) continue;
    letGo(response);
    response.req.socket.destroy();
  }
  return heldBytes + bytes <= mostHeld;
}

/** Sends a body whose head is set, no faster than the client takes it. */
export function sendParts(response: ServerResponse, body: Buffer): void {
  const { socket } = response.req;
  const entry: Held = { bytes: body.length, progressAt: performance.now() };
  held.set(response, entry);
  heldBytes += entry.bytes;
  const over = () => {
    socket.off("close", over);
    letGo(response);
  };
  // A response that waits behind another is not told when their connection is closed.
  socket.once("close", over);
  // A client that goes away is no mishap.
  pipeline(partsOf(body, entry), response).then(over, over);
}

function letGo(response: ServerResponse): void {
  heldBytes -= held.get(response)?.bytes ?? 0;
  held.delete(response);
}

function* partsOf(body: Buffer, entry: Held): Generator<Buffer> {
  for (let at = 0; at < body.length; at += largeAnswer) {
    entry.progressAt = performance.now();
    yield body.subarray(at, at + largeAnswer);
  }
}
