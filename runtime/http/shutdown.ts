import type { Server } from "node:http";

type Close = (idleMs: number, drainMs: number) => Promise<void>;

/**
 * Milliseconds that an idle connection stays open during shutdown: a request sent in this time gets a response with
 * `Connection: close` instead of a connection error.
 */
const idleMs = 2_000;

/** Default number of milliseconds for running requests to finish. */
const defaultDrainMs = 10_000;

const closes = new WeakMap<Server, Close>();

/** Sets the function that `closeServer` calls to close the server's connections. */
export function onClose(server: Server, close: Close): void {
  closes.set(server, close);
}

/**
 * Stops accepting connections, lets running requests finish, then resolves. Responses from now on have `Connection:
 * close`.
 */
export async function closeServer(
  server: Server,
  options: { readonly idleMs?: number; readonly drainMs?: number } = {},
): Promise<void> {
  await closes.get(server)?.(options.idleMs ?? idleMs, options.drainMs ?? defaultDrainMs);
}
