import { reads } from "./cases.js";
import type { Check } from "./check.js";
import { measureCase } from "./comparison.js";
import { ratioText } from "./table.js";

/** What the number of rows costs the list: the emitted server against itself, side by side. */
export const listGrowth: Check = {
  name: "list, 1 000 000 rows against 10 000",
  async run(stage) {
    const list = reads.find(({ name }) => name === "list, 10 000 rows");
    if (list === undefined) throw new Error("There is no such case");
    const small = await stage.shop(10_000);
    const large = await stage.shop(1_000_000);
    const servers = [large.emitted, small.emitted];
    const [grown, own] = await measureCase(list, { stage, seeded: small.seeded, servers });
    const ratio = (grown?.rate ?? 0) / (own?.rate ?? 0);
    const measured = `${ratioText(ratio)} × as fast`;
    return [{ name: listGrowth.name, measured, target: "≥ 0.75 ×", met: ratio >= 0.75 }];
  },
};
