import type { Socket } from "node:net";

/**
 * Closes the connection of a client that does not read. What the kernel still has for it is discarded: otherwise it would
 * keep the connection open for minutes, with megabytes that are never read.
 */
export function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Neither TLS nor a Unix domain socket, which an app's own server may use, can be reset.
    socket.destroy();
  }
}
