import type { Server } from "node:http";

/** Milliseconds that requests under way get to finish. */
const grace = 10_000;

/** Takes no new connection, lets requests under way finish, then resolves. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
