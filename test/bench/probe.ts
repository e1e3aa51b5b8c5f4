import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Figures, percentile } from "./load.js";

/**
 * A client that requests a record a hundred times a second, whether or not the last response has arrived:
 * what others notice of a server's work.
 */
export async function probe(asked: {
  readonly url: string;
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
}): Promise<Figures> {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<number>[] = [];
  const began = performance.now();
  for (let at = 0; at < asked.seconds * ratePerSecond; at += 1) {
    const path = asked.paths[at % asked.paths.length] ?? "";
    answers.push(timed(asked.url + path, { agent, headers: { ...asked.headers } }));
    await sleep(Math.max(0, began + ((at + 1) * 1000) / ratePerSecond - performance.now()));
  }
  const sorted = (await Promise.all(answers)).toSorted((a, b) => a - b);
  agent.destroy();
  return { rate: ratePerSecond, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

const ratePerSecond = 100;

/** Milliseconds until the whole answer is there. */
function timed(url: string, options: object): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`The probe was answered with ${response.statusCode}`));
      });
    }).on("error", reject);
  });
}
