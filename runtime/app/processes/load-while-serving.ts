import { loadRest } from "../../loading/index.js";
import type { Log } from "../../own-code/index.js";
import { isPortHeld } from "./port.js";

/** Loads what the start has left out. In development the next edit ends the server, which then need not have it. */
export function loadWhileServing(log: Log): void {
  if (isPortHeld()) return;
  void loadRest((err) => log.error({ err }, "a part of the server cannot be loaded"));
}
