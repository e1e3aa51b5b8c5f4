import cluster, { type Worker } from "node:cluster";
import type { Server } from "node:http";
import { Socket } from "node:net";
import { z } from "zod";
import type { Config, Environment } from "../../config/index.js";
import { messageReader } from "../../messages/index.js";
import { freezeDeep } from "../../values/freeze.js";

/**
 * Environment variable of workers that identifies their parent as one of our primaries, because process managers and
 * the operator's programs fork too.
 */
const mark = "SERVICE_WORKER";
const checking = "checking";

const question = z.object({ service: z.literal("configuration?") });
const answer = z.object({ service: z.literal("configuration"), config: z.custom<Config>() });
const connection = z.object({ service: z.literal("connection") });

/**
 * `drain`: the server will stop soon. `retire`: a replacement serves, and this worker accepts no further connections
 * and exits when its own are closed.
 */
const order = z.object({ service: z.enum(["drain", "retire"]) });
type Order = z.output<typeof order>["service"];

/**
 * `ready`: the worker serves. `taken`: it has received the connection handed to it. `leaving`: it accepts no more.
 * `declined`: it does not accept the one handed to it in the meantime. `failing`: it exits after its running requests.
 */
const news = z.object({ service: z.enum(["ready", "taken", "leaving", "declined", "failing"]) });
export type WorkerNews = z.output<typeof news>["service"];

const readQuestion = messageReader(question);
const readAnswer = messageReader(answer);
const readConnection = messageReader(connection);
const readOrder = messageReader(order);
const readNews = messageReader(news);

/**
 * Starts a worker: a process that runs the app's `server.ts` with that configuration. Edited configuration files take
 * effect after a restart or reload, not in a worker that replaces a crashed one. With `isChecking`, the worker refuses
 * to start if migrations are missing.
 */
export function forkWorker(
  config: Config,
  { isChecking }: { readonly isChecking: boolean },
): Worker {
  // The secret is bytes, which JSON cannot represent.
  cluster.setupPrimary({ serialization: "advanced" });
  const worker = cluster.fork({ [mark]: isChecking ? checking : "1" });
  worker.on("message", (message) => {
    if (readQuestion(message) === null) return;
    // A worker that exits before the message arrives is detected by its exit.
    worker.send({ service: "configuration", config } satisfies z.input<typeof answer>, () => {});
  });
  return worker;
}

/** A process that serves connections accepted by another one: a worker, or the child of `service dev`. */
export interface ServingProcess {
  send(
    message: object,
    socket: Socket,
    options: { readonly keepOpen: boolean },
    callback: () => void,
  ): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  once(event: "disconnect" | "exit", listener: () => void): unknown;
}

/** Registers a listener for a worker's reports. */
export function onNews(
  worker: Pick<ServingProcess, "on">,
  listener: (news: WorkerNews) => void,
): void {
  worker.on("message", (message) => {
    const data = readNews(message);
    if (data !== null) listener(data.service);
  });
}

/** Hands a worker a connection, which stays open here until it reports `taken`. */
export function handConnection(worker: ServingProcess, socket: Socket): void {
  const message: z.input<typeof connection> = { service: "connection" };
  // A worker that exits before it has the connection is detected by its `disconnect` event.
  worker.send(message, socket, { keepOpen: true }, () => {});
}

/** Serves the connections that the primary hands over. */
export function takeConnections(server: Server): void {
  process.on("message", (message, socket) => {
    if (readConnection(message) === null) return;
    if (isLeaving) {
      // The process may exit at any time. This closes only its copy of the connection.
      if (socket instanceof Socket) socket.destroy();
      report("declined");
      return;
    }
    // Reported before anything is read, so that a connection that was not accepted can be handed to another worker.
    report("taken");
    // The client may have disconnected in the meantime.
    if (socket instanceof Socket) server.emit("connection", socket);
  });
  report("ready");
}

export function sendOrder(worker: Worker, service: Order): void {
  // A worker that has exited needs no order.
  worker.send({ service } satisfies z.input<typeof order>, () => {});
}

export function onOrder(listener: (order: Order) => void): void {
  process.on("message", (message) => {
    const data = readOrder(message);
    if (data !== null) listener(data.service);
  });
}

let isLeaving = false;

/** Asks the primary to hand over no more connections. */
export function leave(): void {
  isLeaving = true;
  report("leaving");
}

/** Asks the primary to replace this worker. */
export function askForReplacement(): void {
  report("failing");
}

function report(service: WorkerNews): void {
  const message: z.input<typeof news> = { service };
  // When the primary ends, its workers end too.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

/** Whether this process is a worker of a new release, which must check the database itself. */
export function isOfNewRelease(environment: Environment): boolean {
  return environment[mark] === checking;
}

/** The configuration from the primary; null in a process that is not one of our workers. */
export async function configOfPrimary(environment: Environment): Promise<Config | null> {
  if (!cluster.isWorker || environment[mark] === undefined) return null;
  return new Promise((resolve) => {
    const listener = (message: unknown) => {
      const data = readAnswer(message);
      if (data === null) return;
      process.off("message", listener);
      resolve(freezeDeep(data.config));
    };
    process.on("message", listener);
    process.send?.({ service: "configuration?" } satisfies z.input<typeof question>);
  });
}
