import type { Worker } from "node:cluster";
import { refusalIn } from "../start/start.js";
import { onNews } from "./handover.js";

/** What a worker has been, once it has ended. */
export interface Life {
  readonly listened: boolean;
  readonly ms: number;
  /** Why it refused to start, or the signal or the exit status. */
  readonly reason: string;
}

/** Resolves when the worker has ended. `onListening` is called when it serves. */
export function lifeOf(worker: Worker, onListening: () => void): Promise<Life> {
  const start = performance.now();
  let listened = false;
  onNews(worker, (news) => {
    if (news !== "ready") return;
    listened = true;
    onListening();
  });
  let refused: string | null = null;
  worker.on("message", (message) => {
    refused ??= refusalIn(message);
  });
  return new Promise((resolve) => {
    const end = (reason: string) => resolve({ listened, ms: performance.now() - start, reason });
    worker.once("exit", (status, signal) => end(refused ?? signal ?? `exit status ${status}`));
    worker.on("error", ({ message }) => {
      // The machine cannot start another process; other errors are followed by the exit.
      if (worker.process.pid === undefined) end(message);
    });
  });
}
