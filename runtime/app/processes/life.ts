import type { Worker } from "node:cluster";
import { refusalIn } from "../start/start-or-exit.js";
import { onNews } from "./handover.js";
import { promised } from "./promised.js";

/** How a worker ended. */
export interface Life {
  readonly listened: boolean;
  readonly ms: number;
  /** The reason why it refused to start, or its signal or exit status. */
  readonly reason: string;
}

export interface Lives {
  /** Resolves when the worker has exited. */
  readonly ended: Promise<Life>;
  /** Resolves when the worker needs a replacement: when it has exited, or an uncaught error is about to end it. */
  readonly over: Promise<Life>;
}

/** Monitors a worker; `onListening` is called when it serves. */
export function follow(worker: Worker, onListening: () => void): Lives {
  const start = performance.now();
  let listened = false;
  const { promise: failing, resolve: fail } = promised<Life>();
  onNews(worker, (news) => {
    if (news === "failing") fail(lifeUntilNow("an uncaught error"));
    if (news !== "ready") return;
    listened = true;
    onListening();
  });
  let refused: string | null = null;
  worker.on("message", (message) => {
    refused ??= refusalIn(message);
  });
  const ended = new Promise<Life>((resolve) => {
    const end = (reason: string) => resolve(lifeUntilNow(reason));
    worker.once("exit", (status, signal) => end(refused ?? signal ?? `exit status ${status}`));
    worker.on("error", ({ message }) => {
      // The machine cannot start another process; other errors are followed by an exit.
      if (worker.process.pid === undefined) end(message);
    });
  });
  return { ended, over: Promise.race([ended, failing]) };

  function lifeUntilNow(reason: string): Life {
    return { listened, ms: performance.now() - start, reason };
  }
}
