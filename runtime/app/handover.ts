import cluster, { type Worker } from "node:cluster";
import { z } from "zod";
import { type Config, type Environment, freezeDeep } from "../config/index.js";
import { closeLostConnection } from "./handed-connection.js";

/**
 * Among the variables of a worker: the process that forked it is one of ours, and answers. Others
 * (process managers, programs of the operator) fork as well.
 */
const mark = "SERVICE_WORKER";

// The app's own messages travel between the two as well.
const question = z.object({ service: z.literal("configuration?") });
const answer = z.object({ service: z.literal("configuration"), config: z.custom<Config>() });

/**
 * Starts a worker: a process that runs the app's `server.ts` with that configuration. A file that
 * is edited while the server runs counts at the next start of the whole, not for a worker that
 * takes another's place.
 */
export function forkWorker(config: Config): Worker {
  // The secret is bytes, which JSON does not carry.
  cluster.setupPrimary({ serialization: "advanced" });
  const worker = cluster.fork({ [mark]: "1" });
  closeLostConnection(worker);
  worker.on("message", (message) => {
    if (!question.safeParse(message).success) return;
    // One that ends before it is answered is heard of by its exit.
    worker.send({ service: "configuration", config } satisfies z.input<typeof answer>, () => {});
  });
  return worker;
}

/** What a worker is handed by its primary; null in a process that is none of our workers. */
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
