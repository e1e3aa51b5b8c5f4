import { createServer, type Server } from "node:http";
import { refuseBroken, refuseRest } from "./connections/broken.js";
import {
  type ConnectionHandlers,
  type Connections,
  openConnections,
} from "./connections/connections.js";
import { maxHeaderLines } from "./connections/head.js";
import type { ConnectionLimits } from "./connections/limits.js";
import { onClose } from "./shutdown.js";

export interface Listener {
  /** The server, which is not listening yet. */
  readonly server: Server;
  readonly connections: Connections;
}

/** Milliseconds. Longer than the idle timeout of common load balancers (60 s), so that they close connections first. */
const keepAliveTimeout = 65_000;

/** Creates an HTTP server that disconnects clients that are too slow or send too many requests. */
export function newListener(
  handlers: Pick<ConnectionHandlers, "serve" | "turnAway">,
  limits: ConnectionLimits,
): Listener {
  const server = createServer({
    keepAliveTimeout,
    // Node's own timeouts are off: its responses are not JSON, and its checks run every 30 s.
    requestTimeout: 0,
    headersTimeout: 0,
    requireHostHeader: false,
  });
  server.maxHeadersCount = maxHeaderLines;
  const refuseLate: ConnectionHandlers["refuseLate"] = (connection) =>
    refuseRest(connections, connection, { status: 408 });
  const connections = openConnections(server, { ...handlers, refuseLate }, limits);
  server.on("request", connections.enter);
  // An unknown expectation may be ignored (RFC 9110 §10.1.1).
  server.on("checkExpectation", connections.enter);
  refuseBroken(server, connections);
  onClose(server, connections.close);
  return { server, connections };
}
