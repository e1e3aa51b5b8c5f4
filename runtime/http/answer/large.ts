import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Bytes; longer answers are sent in parts of this size, as their client reads them. */
export const largeAnswer = 64 * 1024;

/** Bytes of large answers kept for all clients together: two lists of the longest kind. */
const maxHeldBytes = 32 * 1024 * 1024;

/** Milliseconds without progress after which an answer may be dropped in favour of another client's. */
const stalledMs = 1_000;

interface Held {
  /** Bytes that the client has not read. */
  bytes: number;
  /** When the client last read a part. */
  progressAt: number;
}

/** In the order in which the answers were made. */
const held = new Map<ServerResponse, Held>();
let heldBytes = 0;

/**
 * Whether this many more bytes may be kept. When too much is kept already, the connections of clients
 * that do not read are closed, the oldest answer first.
 */
export function hasRoomFor(bytes: number): boolean {
  const stalledSince = performance.now() - stalledMs;
  for (const [response, { progressAt }] of held) {
    if (heldBytes + bytes <= maxHeldBytes) return true;
    if (progressAt > stalledSince) continue;
    drop(response);
    response.req.socket.destroy();
  }
  return heldBytes + bytes <= maxHeldBytes;
}

/** Sends a body of that many bytes, whose head is set, no faster than the client reads it. */
export function sendParts(response: ServerResponse, texts: string[], bytes: number): void {
  const { socket } = response.req;
  const entry: Held = { bytes, progressAt: performance.now() };
  held.set(response, entry);
  heldBytes += bytes;
  const over = () => {
    socket.off("close", over);
    drop(response);
  };
  // A response that is queued behind another gets no event when their connection is closed.
  socket.once("close", over);
  // A client that disconnects is not an error.
  pipeline(partsOf(texts, entry), response).then(over, over);
}

function drop(response: ServerResponse): void {
  const entry = held.get(response);
  if (entry !== undefined) release(entry, entry.bytes);
  held.delete(response);
}

function release(entry: Held, bytes: number): void {
  const released = Math.min(entry.bytes, bytes);
  entry.bytes -= released;
  heldBytes -= released;
}

const encoder = new TextEncoder();

/** The texts are encoded as they are sent, and released one by one: bytes would be a second copy. */
function* partsOf(texts: string[], entry: Held): Generator<Buffer> {
  let part = Buffer.allocUnsafeSlow(largeAnswer);
  let length = 0;
  const take = () => {
    const taken = part.subarray(0, length);
    release(entry, length);
    entry.progressAt = performance.now();
    part = Buffer.allocUnsafeSlow(largeAnswer);
    length = 0;
    return taken;
  };
  for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
    for (let at = 0; at < text.length; ) {
      const { read, written } = encoder.encodeInto(text.slice(at), part.subarray(length));
      at += read;
      length += written;
      if (at < text.length) yield take();
    }
  }
  yield take();
}
