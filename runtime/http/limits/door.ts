import type { Gate } from "../route/gate.js";
import type { AtOnce } from "./at-once.js";
import type { Limiter } from "./limiter.js";

/** Checks that run before a route. */
export interface Door {
  readonly gate: Gate;
  readonly limiter: Limiter;
  readonly atOnce: AtOnce;
}
