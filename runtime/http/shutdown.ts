import type { Server } from "node:http";

/** How the server ends its connections. */
type Close = (idleMs: number, drainMs: number) => Promise<void>;

/**
 * Milliseconds that an idle connection stays open while the server closes: a client that sends a request
 * in this time gets an answer with `Connection: close`, where a closed connection would fail its request.
 */
const idleMs = 2_000;

/** Milliseconds that running requests get to finish, unless the caller says otherwise. */
const defaultDrainMs = 10_000;

const closes = new WeakMap<Server, Close>();

/** Sets how `closeServer` ends the server's connections. */
export function onClose(server: Server, close: Close): void {
  closes.set(server, close);
}

/**
 * Accepts no new connection, lets running requests finish, then resolves. Every further answer says
 * `Connection: close`.
 */
export async function closeServer(
  server: Server,
  options: { readonly idleMs?: number; readonly drainMs?: number } = {},
): Promise<void> {
  await closes.get(server)?.(options.idleMs ?? idleMs, options.drainMs ?? defaultDrainMs);
}
