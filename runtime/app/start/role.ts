import cluster from "node:cluster";
import type { Config } from "../../config/index.js";

/** Whether this process serves alone, or supervises others that do; under `service dev` it starts no others. */
export function roleOf({ server }: Config, isPortHeld: boolean): "alone" | "primary" {
  // `service dev` gives all connections to the one process that it starts; a process forked by another cannot fork.
  const serves = server.workers === 1 || isPortHeld || !cluster.isPrimary;
  return serves ? "alone" : "primary";
}
