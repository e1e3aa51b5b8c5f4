import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Milliseconds that requests under way get to finish. */
const grace = 10_000;

/** Milliseconds between two looks for connections that have become idle. */
const interval = 50;

/** Connections of which no whole request has come yet; Node does not count them among the idle. */
const silent = new WeakMap<Server, Set<Socket>>();

/** Remembers the server's connections for `closeServer`. */
export function watchConnections(server: Server): void {
  const sockets = new Set<Socket>();
  silent.set(server, sockets);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", ({ socket }) => sockets.delete(socket));
}

/** Takes no new connection and no new request, lets requests under way finish, then resolves. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), grace);
    // A client keeps the connection of a request that was under way open for the next one.
    const sweep = setInterval(() => server.closeIdleConnections(), interval);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of silent.get(server) ?? []) socket.destroy();
  });
}
