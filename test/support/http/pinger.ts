import { Worker } from "node:worker_threads";

/** Sends pings over one connection, in a separate thread. */
export interface Pinger {
  /** Milliseconds of the longest so far since the last call, and every status but 200. */
  worst(): Promise<{ readonly ms: number; readonly failures: readonly unknown[] }>;
  stop(): Promise<void>;
}

const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { Agent, get } = require("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let ms = 0;
  let failures = [];
  const ping = () => {
    const start = performance.now();
    const done = (failure) => {
      ms = Math.max(ms, performance.now() - start);
      if (failure !== 200) failures.push(failure);
      setTimeout(ping, 10);
    };
    get(workerData + "/api/_service/ping", { agent }, (answer) => {
      answer.resume();
      answer.on("end", () => done(answer.statusCode));
    }).on("error", ({ code }) => done(code));
  };
  ping();
  parentPort.on("message", () => {
    parentPort.postMessage({ ms, failures });
    ms = 0;
    failures = [];
  });
`;

export function startPinging(url: string): Pinger {
  const thread = new Worker(program, { eval: true, workerData: url });
  return {
    worst: () =>
      new Promise((resolve) => {
        thread.once("message", resolve);
        thread.postMessage("tell");
      }),
    stop: async () => {
      await thread.terminate();
    },
  };
}
