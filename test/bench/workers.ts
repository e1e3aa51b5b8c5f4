import { availableParallelism } from "node:os";
import autocannon from "autocannon";
import type { Seeded } from "./seed.js";
import { startWorkers } from "./workers-server.js";

/** What the shop's server gives with that many processes on its port, for one sort of request. */
export interface WorkersFigures {
  readonly workers: number;
  readonly name: string;
  /** Requests a second. */
  readonly rate: number;
  /** Processors that the server's processes kept busy, 1 for a whole one. */
  readonly cores: number;
  /** Requests a second for each of these. */
  readonly ratePerCore: number;
  readonly p99: number;
}

export interface WorkersPlan {
  readonly counts: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

const requests = [
  { name: "GET one", path: ({ ids }: Seeded) => `/api/products/${ids[0]}` },
  { name: "list", path: () => "/api/products" },
] as const;

/** As many connections as the other figures' load has. */
const connections = 32;

/** Requests to each process until its code is compiled and its statements are prepared. */
export const warmUp = 4_000;

/**
 * Measures the compiled shop with each number of processes in turn, several rounds, and gives the
 * middle of them. On a machine whose processors the load generator and PostgreSQL need as well,
 * look at the rate for each busy core.
 */
export async function measureWorkers(
  seeded: Seeded,
  { counts, rounds, seconds }: WorkersPlan = { counts: [1, 2, 4], rounds: 3, seconds: 3 },
): Promise<readonly WorkersFigures[]> {
  const runs: WorkersFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const workers of counts) runs.push(...(await measureOne(seeded, workers, seconds)));
  }
  return counts.flatMap((workers) =>
    requests.map(({ name }) =>
      middle(runs.filter((run) => run.workers === workers && run.name === name)),
    ),
  );
}

/** The figures as lines of a table. */
export function tableOfWorkers(figures: readonly WorkersFigures[]): string {
  const titles = [
    "Processes",
    "Case",
    "requests/s",
    `busy cores of ${availableParallelism()}`,
    "requests/s per busy core",
    "p99",
  ];
  const rows = figures.map(({ workers, name, rate, cores, ratePerCore, p99 }) => [
    workers,
    name,
    rate.toFixed(0),
    cores.toFixed(2),
    ratePerCore.toFixed(0),
    `${p99} ms`,
  ]);
  return [titles, titles.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

async function measureOne(
  seeded: Seeded,
  workers: number,
  seconds: number,
): Promise<WorkersFigures[]> {
  const server = await startWorkers(seeded.url, workers);
  try {
    const figures: WorkersFigures[] = [];
    for (const { name, path } of requests) {
      const load = { url: server.url, path: path(seeded), token: seeded.token };
      await send(load, { amount: warmUp * workers });
      const before = server.busySeconds();
      const { rate, p99, took } = await send(load, { duration: seconds });
      const cores = (server.busySeconds() - before) / took;
      figures.push({ workers, name, rate, cores, ratePerCore: rate / cores, p99 });
    }
    return figures;
  } finally {
    await server.stop();
  }
}

interface Load {
  readonly url: string;
  readonly path: string;
  readonly token: string;
}

/** Asks for the same again and again, so often or for so many seconds. */
export async function send(
  { url, path, token }: Load,
  length: { readonly amount: number } | { readonly duration: number },
) {
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const options = { url: url + path, connections, headers, ...length };
  const { requests, latency, non2xx, duration } = await autocannon(options);
  if (non2xx > 0) throw new Error(`${non2xx} requests for ${path} were refused`);
  return { rate: requests.average, p99: latency.p99, took: duration };
}

/** The run with the middle rate. */
function middle(runs: readonly WorkersFigures[]): WorkersFigures {
  const sorted = runs.toSorted((one, other) => one.rate - other.rate);
  const found = sorted[Math.floor(sorted.length / 2)];
  if (found === undefined) throw new Error("Nothing measured");
  return found;
}
