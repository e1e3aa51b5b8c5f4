import type { Worker } from "node:cluster";
import type { Socket } from "node:net";
import { handConnection, onNews } from "./handover.js";

/** Gives accepted connections to workers in turn; while there is none that is ready they wait. */
export interface Distribution {
  /** A connection that nobody reads yet. */
  give(socket: Socket): void;
  /** From when it is ready until it leaves, it gets its share. */
  add(worker: Worker): void;
  /** Gives up what waits. */
  close(): void;
}

/**
 * Connections that wait for a worker: about what 64 workers that start need to be asked at all, and few
 * enough to leave the process its file descriptors.
 */
const maxWaiting = 1_024;

/** Milliseconds; clients have given up by then. */
const patience = 20_000;

export function newDistribution(): Distribution {
  const waiting: Socket[] = [];
  /** Ready, and handed nothing at the moment: a busy worker is passed over. */
  const free: Worker[] = [];
  /** What each was handed and has not taken. */
  const handed = new Map<Worker, Socket>();
  const leaving = new Set<Worker>();

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
    // The worker has the connection; this closes no more than the primary's end of it.
    handed.get(worker)?.destroy();
    handed.delete(worker);
    isFree(worker);
  }

  function leave(worker: Worker): void {
    leaving.add(worker);
    const at = free.indexOf(worker);
    if (at >= 0) free.splice(at, 1);
  }

  function add(worker: Worker): void {
    onNews(worker, (said) => {
      if (said === "ready") isFree(worker);
      else if (said === "taken") taken(worker);
      else leave(worker);
    });
    // Everything that it said has been heard by then.
    worker.once("disconnect", () => {
      leave(worker);
      leaving.delete(worker);
      const socket = handed.get(worker);
      handed.delete(worker);
      if (socket !== undefined) give(socket);
    });
  }

  function close(): void {
    for (const socket of waiting.splice(0)) socket.destroy();
  }

  return { give, add, close };
}
