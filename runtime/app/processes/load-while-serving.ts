import { loadRest } from "../../loading/index.js";
import type { Log } from "../../own-code/index.js";
import { isPortHeld } from "./port.js";

/**
 * Loads modules that were deferred at startup. In development, the next edit ends the server, which then may not need
 * them.
 */
export function loadWhileServing(log: Log): void {
  if (isPortHeld()) return;
  void loadRest((err) => log.error({ err }, "a part of the server cannot be loaded"));
}
