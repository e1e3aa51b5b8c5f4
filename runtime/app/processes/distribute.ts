import type { Socket } from "node:net";
import { handConnection, onNews, type ServingProcess } from "./handover.js";

/** Distributes accepted connections among workers, and queues them while no worker is ready. */
export interface Distribution {
  /** Takes a connection from which nothing has been read. */
  give(socket: Socket): void;
  /** Distributes connections to the worker, from its `ready` message until its `leaving` message. */
  add(worker: ServingProcess): void;
  /** Refuses the queued connections. */
  close(): void;
}

/** How connections that no worker accepts are refused. */
export interface DistributionOptions {
  /** Milliseconds that a connection can be queued. */
  readonly patience: number;
  /** Refuses a connection from which nothing has been read. */
  readonly refuse: (socket: Socket) => void;
}

/**
 * Maximum number of connections waiting for a worker: about the number that arrive while 64 workers start, and within
 * the limit of the process's file descriptors.
 */
const maxWaiting = 1_024;

/** By default, a connection waits until its client gives up. */
const usual: DistributionOptions = {
  patience: 20_000,
  refuse: (socket) => void socket.destroy(),
};

/** Milliseconds to wait for the last messages of a worker that has exited. */
const disconnectMs = 500;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share its queues of connections and workers
export function newDistribution({ patience, refuse } = usual): Distribution {
  const waiting: Socket[] = [];
  /** Ready workers that have accepted every connection handed to them. */
  const free: ServingProcess[] = [];
  /** The connection that each worker was handed and has not accepted yet. */
  const handed = new Map<ServingProcess, Socket>();
  const leaving = new WeakSet<ServingProcess>();

  function give(socket: Socket): void {
    socket.on("error", () => {});
    const worker = free.shift();
    if (worker !== undefined) hand(worker, socket);
    else if (waiting.length >= maxWaiting) refuse(socket);
    else {
      socket.setTimeout(patience, () => {
        waiting.splice(waiting.indexOf(socket), 1);
        refuse(noLongerQueued(socket));
      });
      waiting.push(socket);
    }
  }

  function hand(worker: ServingProcess, socket: Socket): void {
    handed.set(worker, socket);
    handConnection(worker, socket);
  }

  function isFree(worker: ServingProcess): void {
    if (leaving.has(worker)) return;
    const socket = waiting.shift();
    if (socket === undefined) {
      free.push(worker);
      return;
    }
    hand(worker, noLongerQueued(socket));
  }

  function taken(worker: ServingProcess): void {
    // The worker has the connection; this closes only the primary's copy.
    handed.get(worker)?.destroy();
    handed.delete(worker);
    isFree(worker);
  }

  function leave(worker: ServingProcess): void {
    leaving.add(worker);
    const at = free.indexOf(worker);
    if (at >= 0) free.splice(at, 1);
  }

  /** Removes the worker, and hands the connection that it has not accepted to another. */
  function passOn(worker: ServingProcess): void {
    leave(worker);
    const socket = handed.get(worker);
    handed.delete(worker);
    if (socket !== undefined) give(socket);
  }

  function add(worker: ServingProcess): void {
    onNews(worker, (news) => {
      if (news === "ready") isFree(worker);
      else if (news === "taken") taken(worker);
      else if (news === "declined") passOn(worker);
      else leave(worker);
    });
    // All messages of the worker have arrived by this event, and it reports a connection before it reads from it.
    worker.once("disconnect", () => passOn(worker));
    // A worker that is killed while receiving a connection may exit without a `disconnect` event (seen with Node
    // 20.20); its client would wait indefinitely.
    worker.once("exit", () => setTimeout(passOn, disconnectMs, worker).unref());
  }

  function close(): void {
    for (const socket of waiting.splice(0)) refuse(noLongerQueued(socket));
  }

  return { give, add, close };
}

function noLongerQueued(socket: Socket): Socket {
  socket.setTimeout(0);
  return socket.removeAllListeners("timeout");
}
