import { type Case, orderPosts, writes } from "./cases.js";
import type { Check } from "./check.js";
import { rateOfOneClient } from "./one-client.js";
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
      await rateOfOneClient(one, { server: emitted, seeded, seconds: warmUp });
      return rateOfOneClient(one, { server: emitted, seeded, seconds });
    };
    const ratio = (11 * (await rateOf(batch))) / (await rateOf(orderPosts));
    const measured = `${ratioText(ratio)} × as fast for one client`;
    return [{ name: batchAgainstPosts.name, measured, target: "≥ 3 ×", met: ratio >= 3 }];
  },
};
