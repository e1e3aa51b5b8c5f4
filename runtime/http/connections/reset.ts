import type { Socket } from "node:net";

/**
 * Closes the connection of a client that does not read. Data in the kernel is discarded: it would keep the connection
 * open for minutes, with megabytes that are never read.
 */
export function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // TLS sockets and Unix domain sockets, which an app's own server may use, cannot be reset.
    socket.destroy();
  }
}
