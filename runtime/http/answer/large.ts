import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Bytes; longer responses are sent in parts of this size, at the speed of the client. */
export const largeAnswer = 64 * 1024;

/** Maximum number of bytes of large responses in memory, for all clients: two lists of maximum length. */
const maxHeldBytes = 32 * 1024 * 1024;

/** Milliseconds without progress after which a response may be dropped to make room for another client's. */
const stalledMs = 1_000;

interface Held {
  /** Bytes that the client has not read yet. */
  bytes: number;
  /** When the client last read a part. */
  progressAt: number;
}

/** In order of creation. */
const held = new Map<ServerResponse, Held>();
let heldBytes = 0;

/**
 * Whether memory for another response of this size is available. If not, connections of clients that do not read are
 * closed, starting with the oldest response.
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

/** Sends a body of `bytes` bytes at the speed of the client; its head must be set. */
export function sendParts(response: ServerResponse, texts: string[], bytes: number): void {
  const { socket } = response.req;
  const entry: Held = { bytes, progressAt: performance.now() };
  held.set(response, entry);
  heldBytes += bytes;
  const over = () => {
    socket.off("close", over);
    drop(response);
  };
  // A response queued behind another gets no event when their connection closes.
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

/** Encodes texts as they are sent and releases them one by one, since a buffer would be a second copy. */
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
