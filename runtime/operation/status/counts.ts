import type { Clock } from "../../clock/index.js";
import { type Meter, newMeter } from "./meter.js";
import type { Numbers } from "./numbers.js";
import { newSlowList, type SlowList } from "./slow-list.js";

/** The counts of this process since it started. */
export interface Counts {
  readonly meter: Meter;
  readonly slow: SlowList;
  numbers(): Numbers;
  /** Returns the counts of this process as a list; with several workers, `exchangeNumbers` is used instead. */
  all(): Promise<readonly Numbers[]>;
}

export function newCounts(clock: Clock): Counts {
  const now = () => clock.now().getTime();
  const startedAt = now();
  const meter = newMeter(now);
  const slow = newSlowList(now);
  const numbers = () => ({ startedAt, spans: meter.spans(), slow: slow.all() });
  return { meter, slow, numbers, all: async () => [numbers()] };
}
