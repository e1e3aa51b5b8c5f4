import type { Server } from "node:http";

/** Ends the server's connections. */
type Close = (idleMs: number, drainMs: number) => Promise<void>;

/**
 * Milliseconds that an idle connection stays open during shutdown: a request sent in this time gets a response with
 * `Connection: close` instead of a connection error.
 */
const idleMs = 2_000;

/** Milliseconds for running requests to finish, by default. */
const defaultDrainMs = 10_000;

const closes = new WeakMap<Server, Close>();

/** Sets the function with which `closeServer` ends the server's connections. */
export function onClose(server: Server, close: Close): void {
  closes.set(server, close);
}

/**
 * Accepts no new connections, lets running requests finish, then resolves. Further responses get
 * `Connection: close`.
 */
export async function closeServer(
  server: Server,
  options: { readonly idleMs?: number; readonly drainMs?: number } = {},
): Promise<void> {
  await closes.get(server)?.(options.idleMs ?? idleMs, options.drainMs ?? defaultDrainMs);
}
