import cluster, { type Worker } from "node:cluster";
import type { Server } from "node:http";
import { Socket } from "node:net";
import { z } from "zod";
import type { Config, Environment } from "../../config/index.js";
import { freezeDeep } from "../../values/freeze.js";

/**
 * Set in a worker's environment: the process that forked it is one of ours, and answers. Others (process
 * managers, programs of the operator) fork as well.
 */
const mark = "SERVICE_WORKER";

// The app's own messages use the same channel.
const question = z.object({ service: z.literal("configuration?") });
const answer = z.object({ service: z.literal("configuration"), config: z.custom<Config>() });
const connection = z.object({ service: z.literal("connection") });

/** `ready`: the worker serves; `taken`: it has the connection it was handed; `leaving`: it takes no more. */
const news = z.object({ service: z.enum(["ready", "taken", "leaving"]) });
export type WorkerNews = z.output<typeof news>["service"];

/**
 * Starts a worker: a process that runs the app's `server.ts` with that configuration. A file that is edited
 * while the server runs takes effect when the whole server restarts, not in a worker that replaces another.
 */
export function forkWorker(config: Config): Worker {
  // The secret is bytes, which JSON does not carry.
  cluster.setupPrimary({ serialization: "advanced" });
  const worker = cluster.fork({ [mark]: "1" });
  worker.on("message", (message) => {
    if (!question.safeParse(message).success) return;
    // A worker that ends before it is answered is noticed by its exit.
    worker.send({ service: "configuration", config } satisfies z.input<typeof answer>, () => {});
  });
  return worker;
}

/** Calls back with what a worker reports about itself. */
export function onNews(worker: Worker, listener: (news: WorkerNews) => void): void {
  worker.on("message", (message) => {
    const { data } = news.safeParse(message);
    if (data !== undefined) listener(data.service);
  });
}

/** Hands a worker a connection, which stays open here until it says `taken`. */
export function handConnection(worker: Worker, socket: Socket): void {
  const message: z.input<typeof connection> = { service: "connection" };
  // A worker that ends before it has the connection is noticed by its disconnection.
  worker.send(message, socket, { keepOpen: true }, () => {});
}

/** Serves the connections that the primary hands over. */
export function takeConnections(server: Server): void {
  process.on("message", (message, socket) => {
    if (!connection.safeParse(message).success) return;
    // Reported before anything is read: a connection that was not taken can be handed to another worker.
    report("taken");
    // The client may have disconnected in the meantime.
    if (socket instanceof Socket) server.emit("connection", socket);
  });
  report("ready");
}

/** Asks the primary to hand over no more connections. */
export function leave(): void {
  report("leaving");
}

function report(service: WorkerNews): void {
  const message: z.input<typeof news> = { service };
  // When the primary ends, its workers end too.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

/** The configuration that a worker gets from its primary; null in a process that is not one of our workers. */
export async function configOfPrimary(environment: Environment): Promise<Config | null> {
  if (!cluster.isWorker || environment[mark] === undefined) return null;
  return new Promise((resolve) => {
    const listener = (message: unknown) => {
      const { data } = answer.safeParse(message);
      if (data === undefined) return;
      process.off("message", listener);
      resolve(freezeDeep(data.config));
    };
    process.on("message", listener);
    process.send?.({ service: "configuration?" } satisfies z.input<typeof question>);
  });
}
