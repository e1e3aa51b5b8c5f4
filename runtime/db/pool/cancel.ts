import { connect } from "node:net";
import type pg from "pg";

/** What identifies a connection to PostgreSQL; `pg` has these, though its types do not say so. */
interface Known {
  readonly host?: string;
  readonly port?: number;
  readonly processID?: number;
  readonly secretKey?: number;
}

/** Milliseconds within which PostgreSQL has to take the request. */
const patienceMs = 5_000;

/** The code of a CancelRequest (PostgreSQL's protocol, "Message Formats"). */
const cancelCode = 80_877_102;

/**
 * Asks PostgreSQL to end what the connection does, and waits for no answer: there is none. A server that is silent may be
 * gone; but one whose commit waits for a synchronous standby goes on waiting when its client has left, and so many of
 * them would take all of `max_connections`.
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
