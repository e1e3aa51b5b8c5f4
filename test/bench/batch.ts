import { type Case, orderPosts, writes } from "./cases.js";
import type { Check } from "./check.js";
import { headersOf } from "./compare.js";
import type { Seeded } from "./seed.js";
import type { Server } from "./servers.js";
import { ratioText } from "./table.js";

/**
 * What a batch saves a client: eleven records in one request, against as many requests one after the other. POSTs of
 * many clients at once are no measure, since the server stores these together too.
 */
export const batchAgainstPosts: Check = {
  name: "batch of 11 records against 11 POSTs",
  async run(stage) {
    const batch = writes.find(({ name }) => name.startsWith("batch"));
    if (batch === undefined) throw new Error("There is no such case");
    const { seeded, emitted } = await stage.shop(batch.rows);
    const { seconds, warmUp } = stage.plan;
    const rateOf = async (one: Case) => {
      await rate(one, { server: emitted, seeded, seconds: warmUp });
      return rate(one, { server: emitted, seeded, seconds });
    };
    const ratio = (11 * (await rateOf(batch))) / (await rateOf(orderPosts));
    const measured = `${ratioText(ratio)} × as fast for one client`;
    return [{ name: batchAgainstPosts.name, measured, target: "≥ 3 ×", met: ratio >= 3 }];
  },
};

/** Requests a second of one client that waits for each answer. */
async function rate(
  { method, paths, body }: Case,
  {
    server,
    seeded,
    seconds,
  }: { readonly server: Server; readonly seeded: Seeded; readonly seconds: number },
): Promise<number> {
  const [path = ""] = paths(seeded);
  const began = performance.now();
  let answers = 0;
  while (performance.now() < began + seconds * 1000) {
    const sent = { method, headers: headersOf(seeded), body: JSON.stringify(body?.(seeded)) };
    const answer = await fetch(server.url + path, sent);
    if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}`);
    await answer.arrayBuffer();
    answers += 1;
  }
  return (answers * 1000) / (performance.now() - began);
}
