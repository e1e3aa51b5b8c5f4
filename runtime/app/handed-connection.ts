import type { Worker } from "node:cluster";

/** Node's own message to a worker; `newconn` brings a connection for it to serve. */
interface Handing {
  readonly act?: unknown;
}

interface Connection {
  close(): void;
}

/**
 * Closes the connection that a worker was just being handed when it died. Node keeps the primary's
 * end of it open for good, so its client would wait for an answer until it gives up (Node 20: about
 * one for each worker that is killed under load).
 */
export function closeLostConnection(worker: Worker): void {
  const { process } = worker;
  const { send } = process;
  let handed: Connection | null = null;
  const remember = (
    message: Handing | null,
    connection: Connection,
    ...rest: unknown[]
  ): boolean => {
    // There is at most one at a time; closing one that has arrived does nothing.
    if (message?.act === "newconn") handed = connection;
    return Reflect.apply(send, process, [message, connection, ...rest]);
  };
  Object.assign(process, { send: remember });
  worker.once("exit", () => handed?.close());
}
