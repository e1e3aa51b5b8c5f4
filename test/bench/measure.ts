import autocannon from "autocannon";
import type { Case } from "./cases.js";
import type { Seeded } from "./seed.js";
import type { Server } from "./servers.js";

const connections = 32;

/** Requests a second, and milliseconds. */
export interface Figures {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

/** Fails unless every server gives the same answer, so that the figures compare like with like. */
export async function compareAnswers(
  servers: readonly Server[],
  { name, method, path }: Case,
  seeded: Seeded,
): Promise<void> {
  if (method !== "GET") return;
  const answers = await Promise.all(
    servers.map(async ({ url }) => {
      const response = await fetch(url + path(seeded), { headers: headers(seeded) });
      return JSON.stringify(await response.json());
    }),
  );
  if (new Set(answers).size > 1) throw new Error(`${name}: the servers give different answers`);
}

/** One run of one case against one server. */
export async function measure(
  { url, name }: Server,
  { name: title, method, path, body }: Case,
  seeded: Seeded,
  seconds: number,
): Promise<Figures> {
  const setupRequest =
    body === undefined
      ? undefined
      : (request: autocannon.Request) => ({ ...request, body: JSON.stringify(body(seeded)) });
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method,
        path: path(seeded),
        headers: headers(seeded),
        ...(setupRequest && { setupRequest }),
      },
    ],
  });
  if (result.non2xx > 0) throw new Error(`${title}: ${name} refused ${result.non2xx} requests`);
  const { requests, latency } = result;
  return { rate: requests.average, p50: latency.p50, p99: latency.p99 };
}

function headers({ token }: Seeded): Record<string, string> {
  return {
    accept: "application/json",
    "content-type": "application/json",
    authorization: `Bearer ${token}`,
  };
}

/** The middle of several runs, figure by figure. */
export function median(runs: readonly Figures[]): Figures {
  const middle = (pick: (figures: Figures) => number) =>
    runs.map(pick).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0;
  return {
    rate: middle(({ rate }) => rate),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
  };
}
