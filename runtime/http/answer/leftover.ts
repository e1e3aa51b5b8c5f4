import type { ServerResponse } from "node:http";
/** Milliseconds and bytes for which a client may continue to send a body after its answer. */
export const leftoverMs = 5_000;
export const leftoverBytes = 16 * 1024 * 1024;

/** Milliseconds between two checks. */
const interval = 100;

/**
 * Ends an answer that was written before the end of its request: the rest of the body is read and
 * discarded first. Unread bytes would reset the connection, and the answer would be lost. A client that
 * does not stop sending is disconnected.
 */
export function endAfterBody(response: ServerResponse): void {
  const { req: request } = response;
  const { socket } = request;
  // Counted on the socket: Node discards a body that nobody began to read without emitting it.
  const lastByte = socket.bytesRead + leftoverBytes;
  const deadline = performance.now() + leftoverMs;
  const watch = setInterval(() => {
    if (socket.bytesRead > lastByte || performance.now() > deadline) socket.destroy();
  }, interval);
  request.once("close", () => clearInterval(watch));
  request.once("end", () => {
    clearInterval(watch);
    response.end();
  });
  request.resume();
}
