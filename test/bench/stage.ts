import type { Plan } from "./rounds.js";
import { handWrittenCopy, indexForSearches, type Seeded, seed } from "./seed.js";
import { type Server, startServer } from "./servers.js";

/** Filled shops with their servers, each made when it is first asked for and kept till the end. */
export interface Stage {
  readonly plan: Plan;
  readonly adminUrl: string;
  shop(products: number): Promise<Shop>;
  /** The same shop, with references whose database has an index for searches too. */
  searchedShop(products: number): Promise<Shop>;
}

export interface Shop {
  readonly seeded: Seeded;
  readonly emitted: Server;
  readonly e: Server;
  readonly r: Server;
}

export function openStage(plan: Plan, adminUrl: string): Stage {
  const shop = once((products) => openShop(adminUrl, products));
  const searchedShop = once(async (products) => openSearched(await shop(products)));
  return { plan, adminUrl, shop, searchedShop };
}

function once<Opened>(open: (products: number) => Promise<Opened>) {
  const opened = new Map<number, Promise<Opened>>();
  return (products: number) => {
    const known = opened.get(products) ?? open(products);
    opened.set(products, known);
    return known;
  };
}

/** Each server has a database of its own, so that nobody reads or pays for what another wrote. */
async function openShop(adminUrl: string, products: number): Promise<OpenShop> {
  const seeded = await seed(adminUrl, products);
  const forE = await handWrittenCopy(adminUrl, seeded, "e");
  const forR = await handWrittenCopy(adminUrl, seeded, "r");
  const forSearches = await handWrittenCopy(adminUrl, seeded, "s");
  return {
    seeded,
    emitted: await startServer("emitted", seeded.url),
    e: await startServer("E", forE),
    r: await startServer("R", forR),
    forSearches,
  };
}

interface OpenShop extends Shop {
  readonly forSearches: string;
}

/** Only searches are measured there, so that both references may share a database. */
async function openSearched({ seeded, emitted, forSearches }: OpenShop): Promise<Shop> {
  await indexForSearches(forSearches);
  return {
    seeded,
    emitted,
    e: await startServer("E", forSearches),
    r: await startServer("R", forSearches),
  };
}
