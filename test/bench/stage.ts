import type { Plan } from "./rounds.js";
import { handWrittenCopy, type Seeded, seed } from "./seed.js";
import { type Server, startServer } from "./servers.js";

/** Filled shops with their servers, each made when it is first asked for and kept till the end. */
export interface Stage {
  readonly plan: Plan;
  readonly adminUrl: string;
  shop(products: number): Promise<Shop>;
}

export interface Shop {
  readonly seeded: Seeded;
  readonly emitted: Server;
  readonly e: Server;
  readonly r: Server;
}

export function openStage(plan: Plan, adminUrl: string): Stage {
  const shops = new Map<number, Promise<Shop>>();
  return {
    plan,
    adminUrl,
    shop(products) {
      const open = shops.get(products) ?? openShop(adminUrl, products);
      shops.set(products, open);
      return open;
    },
  };
}

/** Each server has a database of its own, so that nobody reads or pays for what another wrote. */
async function openShop(adminUrl: string, products: number): Promise<Shop> {
  const seeded = await seed(adminUrl, products);
  const forE = await handWrittenCopy(adminUrl, seeded, "e");
  const forR = await handWrittenCopy(adminUrl, seeded, "r");
  return {
    seeded,
    emitted: await startServer("emitted", seeded.url),
    e: await startServer("E", forE),
    r: await startServer("R", forR),
  };
}
