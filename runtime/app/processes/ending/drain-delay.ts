import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../../../own-code/index.js";

/** Waits until load balancers have noticed that the server is draining; meanwhile, requests are served normally. */
export async function waitToDrain({
  config,
  log,
}: Pick<Services, "config" | "log">): Promise<void> {
  const { drainDelaySeconds } = config.server;
  if (drainDelaySeconds === 0) return;
  log.info({ seconds: drainDelaySeconds }, "The server is draining and will stop");
  await sleep(drainDelaySeconds * 1_000);
}
