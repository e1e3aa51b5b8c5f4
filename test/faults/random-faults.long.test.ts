import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type FaultyProxy, faults, openFaultyProxy } from "../support/http/faulty-proxy.js";
import { faultChance } from "../support/load/chance.js";
import type { RunningLoad } from "../support/load/start.js";
import {
  faultRounds,
  openUnderLoad,
  faultTimeout as timeout,
  type UnderLoad,
} from "../support/load/under-load.js";

const chance = faultChance("random-faults");

let network: FaultyProxy;
let shop: UnderLoad;
let load: RunningLoad;
beforeAll(async () => {
  shop = await openUnderLoad({
    through: async (url) => {
      network = await openFaultyProxy(url, chance);
      return network.url;
    },
  });
});
afterAll(async () => {
  await network.close();
  await shop.close();
});
beforeEach(async () => {
  load = await shop.startLoad();
});
afterEach(() => load.end());

test("a server killed under every kind of write loses none and duplicates none", {
  timeout,
}, async () => {
  for (let round = 0; round < faultRounds; round += 1) {
    await shop.untilWriting();
    await sleep(chance.below(1_000));
    await shop.killServer();
  }
  await shop.expectNothingLost(load);
});

test("PostgreSQL killed under every kind of write loses none and duplicates none", {
  timeout,
}, async () => {
  for (let round = 0; round < faultRounds; round += 1) {
    await shop.untilWriting();
    await sleep(chance.below(1_000));
    await shop.host.killDatabase();
  }
  await shop.expectNothingLost(load);
});

test.each(faults)(
  "a network to PostgreSQL that fails at random loses and duplicates no write: %s",
  {
    timeout,
  },
  async (fault) => {
    for (let round = 0; round < faultRounds; round += 1) {
      await shop.untilWriting();
      await sleep(chance.below(500));
      network.fail(fault);
      await sleep(1_000);
      network.fail(null);
    }
    // What waits in a black hole fails only after a while. Where the network only delays, nothing does.
    await load.end();
    if (fault !== "delay") expect(shop.ledger.phase.failed).not.toEqual([]);
    await shop.expectNothingLost(load);
  },
);
