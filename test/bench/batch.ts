import { orderPosts, writes } from "./cases.js";
import type { Check } from "./check.js";
import { measureCase } from "./comparison.js";
import { ratioText } from "./table.js";

/** What a batch saves: eleven records in one request, against as many requests. */
export const batchAgainstPosts: Check = {
  name: "batch of 11 records against 11 POSTs",
  async run(stage) {
    const batch = writes.find(({ name }) => name.startsWith("batch"));
    if (batch === undefined) throw new Error("There is no such case");
    const { seeded, emitted } = await stage.shop(batch.rows);
    const [posts] = await measureCase(orderPosts, { stage, seeded, servers: [emitted] });
    const [batches] = await measureCase(batch, { stage, seeded, servers: [emitted] });
    const ratio = (11 * (batches?.rate ?? 0)) / (posts?.rate ?? 0);
    const measured = `${ratioText(ratio)} × as fast`;
    return [{ name: batchAgainstPosts.name, measured, target: "≥ 3 ×", met: ratio >= 3 }];
  },
};
