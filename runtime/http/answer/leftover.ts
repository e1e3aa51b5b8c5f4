import type { ServerResponse } from "node:http";
/** Milliseconds and bytes for which a client may continue to send a body after its response. */
export const leftoverMs = 5_000;
export const leftoverBytes = 16 * 1024 * 1024;

/** Milliseconds between two checks. */
const interval = 100;

/**
 * Ends a response that was sent before the end of its request: reads and discards the rest of the body first. Unread
 * bytes would reset the connection and lose the response. A client that does not stop sending is disconnected.
 */
export function endAfterBody(response: ServerResponse): void {
  const { req: request } = response;
  const { socket } = request;
  // Counted on the socket, since Node discards an unread body without emitting it.
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
