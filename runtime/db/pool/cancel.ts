import { connect } from "node:net";
import type pg from "pg";

/** Identifies a connection to PostgreSQL; `pg` sets these properties, but the type `ClientBase` does not declare them. */
interface Known {
  readonly host?: string;
  readonly port?: number;
  readonly processID?: number;
  readonly secretKey?: number;
}

/** Milliseconds for PostgreSQL to take the request. */
const patienceMs = 5_000;

/** The code of a CancelRequest (PostgreSQL's protocol, "Message Formats"). */
const cancelCode = 80_877_102;

/**
 * Asks PostgreSQL to cancel the connection's statement, without waiting for a response, because a silent server may no
 * longer exist. Closing the connection would not suffice: a commit that waits for a synchronous standby continues after
 * its client has disconnected, and many such commits would use up `max_connections`.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host = "localhost", port = 5432, processID, secretKey } = client as unknown as Known;
  if (processID === undefined || secretKey === undefined) return;
  const request = Buffer.alloc(16);
  for (const [at, value] of [request.length, cancelCode, processID, secretKey].entries()) {
    request.writeInt32BE(value, 4 * at);
  }
  const isSocketFile = host.startsWith("/");
  const socket = connect(isSocketFile ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.on("error", () => {});
  socket.end(request);
  socket.unref();
}
