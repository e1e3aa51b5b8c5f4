import autocannon from "autocannon";

/** What is asked of a server, by how many at once and for how long. */
export interface Load {
  readonly url: string;
  readonly method: "GET" | "POST" | "PATCH";
  /** Each connection walks through its share of them, again and again. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** A new body for each request. */
  readonly body?: (() => object) | undefined;
  readonly seconds: number;
  /** A server that has not given so many answers by then is waited for. */
  readonly leastAnswers: number;
}

/** Requests a second, and milliseconds. */
export interface Figures {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

/** As many as a server with ten database connections has to queue. */
export const connections = 32;

/** No server is waited for longer. */
const patienceSeconds = 120;

/**
 * Keeps a server busy with 32 connections, each of which asks again as soon as it is answered.
 *
 * Of autocannon only the connections are used. Its own figures are whole milliseconds and whole
 * samples, which say nothing of a server that gives twenty answers, or none, in a second: here each
 * answer is timed, and a slow server's run lasts until it has given some. What is never answered is
 * not in its p99, so a slow server looks better than it is. (wrk would need a script to ask for many
 * records, and no longer be cheaper.)
 */
export function load(asked: Load): Promise<Figures> {
  const { url, method, headers, seconds, leastAnswers } = asked;
  const latencies: number[] = [];
  const problems = new Map<string, number>();
  const note = (problem: string) => problems.set(problem, (problems.get(problem) ?? 0) + 1);
  const began = performance.now();
  let elapsed = 0;

  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        method,
        headers: { ...headers },
        connections,
        duration: patienceSeconds,
        timeout: patienceSeconds,
        sampleInt: 20,
        setupClient: sharing(asked),
      },
      (error: unknown) => {
        clearTimeout(timer);
        const [problem, count] = [...problems][0] ?? [];
        if (error) reject(error);
        else if (problem) reject(new Error(`${problem} (${count} of ${latencies.length})`));
        else resolve(figuresOf(latencies, elapsed || performance.now() - began));
      },
    );
    function finishWhenDue(): void {
      const now = performance.now() - began;
      if (now < seconds * 1000 || latencies.length < leastAnswers) return;
      elapsed = now;
      instance.stop();
    }
    const timer = setTimeout(finishWhenDue, seconds * 1000 + 1);
    instance.on("reqError", ({ message }) => note(message));
    instance.on("response", (_client, status, _bytes, milliseconds) => {
      // Stopping takes some milliseconds, in which more answers come.
      if (elapsed > 0) return;
      latencies.push(milliseconds);
      if (status >= 300) note(`answers with the status ${status}`);
      finishWhenDue();
    });
  });
}

/** Gives each connection its own share of the paths, so that they do not walk in step. */
function sharing({ paths, method, headers, body }: Load): (client: autocannon.Client) => void {
  let next = 0;
  return (client) => {
    const own = next;
    next += 1;
    const share = paths.filter((_, at) => at % connections === own % paths.length);
    client.setRequests(
      share.map((path) => ({
        method,
        path,
        headers: { ...headers },
        ...(body && {
          setupRequest: (request) => ({ ...request, body: JSON.stringify(body()) }),
        }),
      })),
    );
  };
}

/** Where nothing was answered, the rate is less than one in that time. */
function figuresOf(latencies: readonly number[], elapsed: number): Figures {
  if (latencies.length === 0) return { rate: 1000 / elapsed, p50: elapsed, p99: elapsed };
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    rate: (latencies.length * 1000) / elapsed,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  };
}

/** Of ascending numbers, the least that this share of them does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
