import type { Worker } from "node:cluster";
import type { Socket } from "node:net";
import { handConnection, onNews } from "./handover.js";

/** Gives accepted connections to workers in turn; they are queued while no worker is ready. */
export interface Distribution {
  /** Takes a connection from which nothing has been read. */
  give(socket: Socket): void;
  /** Gives the worker its share of connections from when it is ready until it leaves. */
  add(worker: Worker): void;
  /** Closes the queued connections. */
  close(): void;
}

/**
 * Connections that may be queued for a worker: about as many as arrive while 64 workers start, and few
 * enough to leave the process its file descriptors.
 */
const maxWaiting = 1_024;

/** Milliseconds; clients have given up by then. */
const patience = 20_000;

/** Milliseconds within which the last messages of an ended worker arrive. */
const disconnectMs = 500;

export function newDistribution(): Distribution {
  const waiting: Socket[] = [];
  /** Workers that are ready and have taken every connection handed to them. */
  const free: Worker[] = [];
  /** The connection that each was handed and has not taken. */
  const handed = new Map<Worker, Socket>();
  const leaving = new WeakSet<Worker>();

  function give(socket: Socket): void {
    socket.on("error", () => {});
    const worker = free.shift();
    if (worker !== undefined) hand(worker, socket);
    else if (waiting.length >= maxWaiting) socket.destroy();
    else {
      socket.setTimeout(patience, () => {
        waiting.splice(waiting.indexOf(socket), 1);
        socket.destroy();
      });
      waiting.push(socket);
    }
  }

  function hand(worker: Worker, socket: Socket): void {
    handed.set(worker, socket);
    handConnection(worker, socket);
  }

  function isFree(worker: Worker): void {
    if (leaving.has(worker)) return;
    const socket = waiting.shift();
    if (socket === undefined) {
      free.push(worker);
      return;
    }
    socket.setTimeout(0);
    socket.removeAllListeners("timeout");
    hand(worker, socket);
  }

  function taken(worker: Worker): void {
    // The worker has the connection; this closes only the primary's copy of it.
    handed.get(worker)?.destroy();
    handed.delete(worker);
    isFree(worker);
  }

  function leave(worker: Worker): void {
    leaving.add(worker);
    const at = free.indexOf(worker);
    if (at >= 0) free.splice(at, 1);
  }

  /** Ends the worker's share, and gives the connection that it has not taken to another. */
  function passOn(worker: Worker): void {
    leave(worker);
    const socket = handed.get(worker);
    handed.delete(worker);
    if (socket !== undefined) give(socket);
  }

  function add(worker: Worker): void {
    onNews(worker, (news) => {
      if (news === "ready") isFree(worker);
      else if (news === "taken") taken(worker);
      else if (news === "declined") passOn(worker);
      else leave(worker);
    });
    // All its messages have arrived by then, and it reports a connection before it reads from it.
    worker.once("disconnect", () => passOn(worker));
    // A worker that is killed while it is sent a connection may end without a disconnection (seen with Node
    // 20.20); its client would wait without end.
    worker.once("exit", () => setTimeout(passOn, disconnectMs, worker).unref());
  }

  function close(): void {
    for (const socket of waiting.splice(0)) socket.destroy();
  }

  return { give, add, close };
}
