import cluster from "node:cluster";
import type { Config } from "../../config/index.js";

/** Whether this process serves alone, or supervises others that do; one that is watched starts no others. */
export function roleOf({ server }: Config, isWatched: boolean): "alone" | "primary" {
  // `service dev` watches the one process that it starts; a process forked by another cannot fork.
  const serves = server.workers === 1 || isWatched || !cluster.isPrimary;
  return serves ? "alone" : "primary";
}
