import type { Case } from "./cases.js";
import { headersOf } from "./compare.js";
import type { Seeded } from "./seed.js";
import type { Server } from "./servers.js";

interface OneClient {
  readonly server: Server;
  readonly seeded: Seeded;
  readonly seconds: number;
}

/** Requests a second of one client that asks again as soon as it is answered. */
export async function rateOfOneClient(
  { method, paths, body }: Case,
  { server, seeded, seconds }: OneClient,
): Promise<number> {
  const [path = ""] = paths(seeded);
  const began = performance.now();
  let answers = 0;
  while (performance.now() < began + seconds * 1000) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body(seeded)) };
    const answer = await fetch(server.url + path, { method, headers: headersOf(seeded), ...sent });
    if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}`);
    await answer.arrayBuffer();
    answers += 1;
  }
  return (answers * 1000) / (performance.now() - began);
}
