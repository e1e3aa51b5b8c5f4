import type { Server } from "node:http";

/** How the server ends its connections. */
type Close = (idleMs: number) => Promise<void>;

/**
 * Milliseconds that a connection without a request stays open while the server closes: a client that
 * asks in this time is told by `Connection: close`, where a closed connection would fail its request.
 */
const idleMs = 2_000;

const closes = new WeakMap<Server, Close>();

/** Says how `closeServer` is to end the server's connections. */
export function onClose(server: Server, close: Close): void {
  closes.set(server, close);
}

/**
 * Takes no new connection, lets requests under way finish, then resolves. Every answer from here on says
 * `Connection: close`.
 */
export async function closeServer(
  server: Server,
  options: { readonly idleMs?: number } = {},
): Promise<void> {
  await closes.get(server)?.(options.idleMs ?? idleMs);
}
