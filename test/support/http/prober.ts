import { Worker } from "node:worker_threads";

/** Sends one request after another over one connection, in a separate thread, and measures them. */
export interface Prober {
  /** The milliseconds of each request since the last call, shortest first; those that were not 200 are failures. */
  take(): Promise<{ readonly times: readonly number[]; readonly failures: readonly unknown[] }>;
  stop(): Promise<void>;
}

const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { Agent, get } = require("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { url, headers } = workerData;
  let times = [];
  let failures = [];
  const probe = () => {
    const start = performance.now();
    const done = (status) => {
      times.push(performance.now() - start);
      if (status !== 200) failures.push(status);
      setTimeout(probe, 5);
    };
    get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => done(answer.statusCode));
    }).on("error", ({ code }) => done(code));
  };
  probe();
  parentPort.on("message", () => {
    parentPort.postMessage({ times: times.toSorted((a, b) => a - b), failures });
    times = [];
    failures = [];
  });
`;

export function startProbing(url: string, token: string): Prober {
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const thread = new Worker(program, { eval: true, workerData: { url, headers } });
  return {
    take: () =>
      new Promise((resolve) => {
        thread.once("message", resolve);
        thread.postMessage("take");
      }),
    stop: async () => {
      await thread.terminate();
    },
  };
}
